/**
 * A body holds so many values at most. Nothing of ours needs a hundredth of it, the longest text full of commas included;
 * but the 32 MB in which pictures come can be ten million empty lists, and reading those takes seconds and a gigabyte.
 */
export const MAX_JSON_VALUES = 50_000

// What stands before every value but the first: `[1, {"a": 2}]`.
const BEFORE_VALUES = Buffer.from('[{,')

/**
 * Whether JSON may hold more values than anybody has a use for. Looks at the bytes alone, before anything is read: such
 * a byte within a text counts, too.
 */
export function hasTooManyValues(body: Buffer): boolean {
  let left = MAX_JSON_VALUES
  for (const byte of BEFORE_VALUES) {
    for (let at = body.indexOf(byte); at !== -1; at = body.indexOf(byte, at + 1)) if (--left < 0) return true
  }
  return false
}
