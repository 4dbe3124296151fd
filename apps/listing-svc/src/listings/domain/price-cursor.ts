/** Where a list sorted by price continues: behind this price, and of listings with the same price behind this id. */
export interface PriceCursor {
  readonly priceMinor: bigint
  readonly id: number
}

const FORM = /^(\d{1,18})\.([1-9]\d{0,15})$/

/** The cursor as the `Link` header carries it. */
export const writeCursor = ({ priceMinor, id }: PriceCursor): string =>
  Buffer.from(`${priceMinor}.${id}`).toString('base64url')

/** Reads what `writeCursor` wrote; null for anything else. */
export function readCursor(text: string): PriceCursor | null {
  const match = FORM.exec(Buffer.from(text, 'base64url').toString())
  if (!match) return null
  const id = Number(match[2])
  return Number.isSafeInteger(id) ? { priceMinor: BigInt(match[1]!), id } : null
}
