import { useSession } from '../../lib/current-user.js'
import { Redirect } from '../../lib/navigation.js'
import { paths } from '../../lib/paths.js'
import { AuthScreen } from './auth-screen.js'

/** The sign-in screen. A signed-in user is led to the dashboard. */
export default function AuthPage() {
  const { user } = useSession()
  // It replaces this page in the history: Back then leads to the page before the sign-in.
  return user ? <Redirect to={paths.dashboard} /> : <AuthScreen />
}
