import { Notice } from '../../components/notice.js'
import { useSession } from '../../lib/current-user.js'

/** The code of a refusal when a mailed link is opened in the session of another account. */
export const OTHER_ACCOUNT = 'SIGN_IN_TO_CONFIRM'

/** Says that a mailed link is for another account than the one that is signed in here. */
export function OtherAccount() {
  const { user } = useSession()
  return (
    <Notice tone="needs" alert title="This link is for another account">
      {user && (
        <>
          You are signed in as <strong className="break-words">{user.email}</strong>.{' '}
        </>
      )}
      Sign out, sign in to the account that this mail is about, and open the link again. If you do not know its
      password, set a new one with “Forgot your password?”.
    </Notice>
  )
}
