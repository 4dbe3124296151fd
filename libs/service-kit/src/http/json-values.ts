/**
 * The most values that a body may hold. Our requests have a few hundred at most, and the longest text that a person may write has 5,000
 * characters. As many fields as this take ten milliseconds to read, in which the process answers nobody else. Without a limit a body of
 * 32 MB, which is allowed for pictures, could hold ten million empty lists; parsing them takes seconds and a gigabyte.
 */
export const MAX_JSON_VALUES = 12_000

// Each value except the first follows one of these bytes, as in `[1, {"a": 2}]`.
const BEFORE_VALUES = Buffer.from('[{,')

/**
 * Whether JSON may hold more values than allowed. It counts these bytes before parsing, and includes those within texts.
 */
export function hasTooManyValues(body: Buffer): boolean {
  let left = MAX_JSON_VALUES
  for (const byte of BEFORE_VALUES) {
    for (let at = body.indexOf(byte); at !== -1; at = body.indexOf(byte, at + 1)) if (--left < 0) return true
  }
  return false
}
