import { useState } from 'react'

/**
 * The token of a mailed link; null without one. It is after the number sign, a part that browsers send to no server. It stays in the
 * address until the page is left, so that a reload keeps it.
 */
export function useMailedToken(): string | null {
  const [token] = useState(() => window.location.hash.slice(1))
  return token === '' ? null : token
}
