import { Navigate, useSearchParams } from 'react-router-dom'
import { useSession } from '../../lib/current-user.js'
import AuthScreen from './auth-screen.js'
import { pageAfterSignIn } from './page-after-sign-in.js'

/** The sign-in screen. A signed-in user is led on, to the dashboard when no other page was asked for. */
export default function AuthPage() {
  const { user } = useSession()
  const [query] = useSearchParams()
  // It replaces this page in the history: Back then leads to the page before the sign-in.
  return user ? <Navigate replace to={pageAfterSignIn(query)} /> : <AuthScreen />
}
