/** What we use of it. Only the package.json of this folder installs it. */
declare module 'subset-font' {
  export default function subsetFont(font: Buffer, text: string, options: object): Promise<Buffer>
}
