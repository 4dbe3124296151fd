import { Navigate } from 'react-router-dom'
import { useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { useTitle } from '../../lib/use-title.js'
import { AuthScreen } from './auth-screen.js'

/** The sign-in screen; on to the dashboard for whoever is signed in, be it already or just now. */
export default function AuthPage() {
  useTitle('Sign In')
  const { user } = useSession()
  // Back then leads to where one came from, a listing say, and not to a sign-in that is done.
  return user ? <Navigate to={paths.dashboard} replace /> : <AuthScreen />
}
