/**
 * The most values that a body may hold. Our requests need less than a hundredth of it, a long text full of commas included.
 * But 32 MB, the limit for pictures, can hold ten million empty lists, and parsing those takes seconds and a gigabyte.
 */
export const MAX_JSON_VALUES = 50_000

// The bytes that precede every value but the first, as in `[1, {"a": 2}]`.
const BEFORE_VALUES = Buffer.from('[{,')

/**
 * Whether JSON may hold more values than allowed. It counts bytes before anything is parsed, so such a byte within a text
 * counts, too.
 */
export function hasTooManyValues(body: Buffer): boolean {
  let left = MAX_JSON_VALUES
  for (const byte of BEFORE_VALUES) {
    for (let at = body.indexOf(byte); at !== -1; at = body.indexOf(byte, at + 1)) if (--left < 0) return true
  }
  return false
}
