/** The position in a list sorted by price: after this price, and among listings of this price after this id. */
export interface PriceCursor {
  readonly priceMinor: bigint
  readonly id: number
}

const FORM = /^(\d{1,18})\.([1-9]\d{0,15})$/

/** The cursor as text, for the `after` parameter of the `Link` header. */
export const writeCursor = ({ priceMinor, id }: PriceCursor): string =>
  Buffer.from(`${priceMinor}.${id}`).toString('base64url')

/** Reads a text that `writeCursor` wrote; null for any other text. */
export function readCursor(text: string): PriceCursor | null {
  const match = FORM.exec(Buffer.from(text, 'base64url').toString())
  if (!match) return null
  const id = Number(match[2])
  return Number.isSafeInteger(id) ? { priceMinor: BigInt(match[1]!), id } : null
}
