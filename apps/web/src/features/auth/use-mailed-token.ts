import { useState } from 'react'
import { useLocation } from 'react-router-dom'

/**
 * The token of a mailed link; null without one. It is after the number sign, a part that browsers send to no server. It stays in the
 * address until the page is left, so that a reload keeps it.
 */
export function useMailedToken(): string | null {
  const { hash } = useLocation()
  const [token] = useState(hash.slice(1))
  return token === '' ? null : token
}
