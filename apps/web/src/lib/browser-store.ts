export type KeyStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What lasts as long as the tab; null where the browser forbids it. */
export const browserStore = (): KeyStore | null => orUndefined(() => globalThis.sessionStorage) ?? null

/** What lasts after the tab, and what all tabs share; null where the browser forbids it. */
export const sharedStore = (): KeyStore | null => orUndefined(() => globalThis.localStorage) ?? null

/** A browser may forbid storage and throw at every touch: then there is nothing to be had, and nothing is kept. */
export function orUndefined<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
