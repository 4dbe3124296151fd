/** Deeper JSON is refused: our requests are not nested so deep, and recursion over it would overflow the stack. */
export const MAX_JSON_DEPTH = 32

/** A value that PostgreSQL would refuse, and its field. */
export interface Unstorable {
  readonly path: string
  readonly message: string
}

/**
 * Finds a value in a client's input that PostgreSQL would refuse: a NUL character, half a surrogate pair, or JSON that is
 * nested too deep. Null when there is none.
 */
export function findUnstorable(value: unknown, depth = 0): Unstorable | null {
  if (typeof value === 'string') return isText(value) ? null : at('', 'Must not contain such characters')
  if (typeof value !== 'object' || value === null) return null
  if (depth >= MAX_JSON_DEPTH) return at('', 'Nested too deep')
  for (const key of Object.keys(value)) {
    if (!isText(key)) return at('', 'Field names must not contain such characters')
    const found = findUnstorable((value as Record<string, unknown>)[key], depth + 1)
    // The path is made only for the value that is found, since almost none is.
    if (found) return at(found.path === '' ? key : `${key}.${found.path}`, found.message)
  }
  return null
}

const at = (path: string, message: string): Unstorable => ({ path, message })

const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
