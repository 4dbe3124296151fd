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
export function findUnstorable(value: unknown, path = '', depth = 0): Unstorable | null {
  if (typeof value === 'string') return isText(value) ? null : { path, message: 'Must not contain such characters' }
  if (typeof value !== 'object' || value === null) return null
  if (depth >= MAX_JSON_DEPTH) return { path, message: 'Nested too deep' }
  for (const key of Object.keys(value)) {
    const at = path === '' ? key : `${path}.${key}`
    if (!isText(key)) return { path, message: 'Field names must not contain such characters' }
    const found = findUnstorable((value as Record<string, unknown>)[key], at, depth + 1)
    if (found) return found
  }
  return null
}

const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
