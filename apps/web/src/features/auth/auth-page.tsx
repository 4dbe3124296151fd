import { useTitle } from '../../lib/use-title.js'
import { AuthScreen } from './auth-screen.js'

export default function AuthPage() {
  useTitle('Sign In')
  return <AuthScreen />
}
