import { Navigate } from 'react-router-dom'
import { useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { AuthScreen } from './auth-screen.js'

/** The sign-in screen. A signed-in user is led to the dashboard. */
export default function AuthPage() {
  const { user } = useSession()
  // It replaces this page in the history: Back then leads to the page before the sign-in.
  return user ? <Navigate to={paths.dashboard} replace /> : <AuthScreen />
}
