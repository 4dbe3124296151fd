// Order matters: Edge and Opera also say Chrome, and Chrome also says Safari.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

const nameIn = (userAgent: string, names: readonly (readonly [string, string])[]) =>
  names.find(([mark]) => userAgent.includes(mark))?.[1]

/** "Chrome on Linux", as far as the browser says what it is. */
export function deviceName(userAgent: string | null): string {
  const browser = nameIn(userAgent ?? '', BROWSERS) ?? 'Unknown browser'
  const system = nameIn(userAgent ?? '', SYSTEMS)
  return system ? `${browser} on ${system}` : browser
}
