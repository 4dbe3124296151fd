import { useLocation, useNavigate } from 'react-router-dom'
import { signOut } from './current-user.js'
import { paths } from './paths.js'
import { discardChanges } from './unsaved-changes.js'

/** A sign-out does not wait longer than this for the code of the landing page. */
const LEAVE_MS = 1_000

/** Ends the session and goes to the landing page, whatever the server answers. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return async () => {
    discardChanges()
    // The protected page is left first: otherwise the sign-in screen would flash up there.
    const left = navigate(paths.home, { replace: pathname === paths.home })
    await Promise.race([left, new Promise(resolve => setTimeout(resolve, LEAVE_MS))])
    await signOut()
  }
}
