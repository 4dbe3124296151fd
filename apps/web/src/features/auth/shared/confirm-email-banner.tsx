import { Notice } from '../../../components/notice.js'
import type { CurrentUser } from '../../../lib/current-user.js'
import { SendConfirmation } from './send-confirmation.js'

/** Asks a user to open the link that was mailed to their address, and sends it again. */
export function ConfirmEmailBanner({ user }: { user: CurrentUser }) {
  return (
    <Notice title="Please confirm your e-mail address" action={<SendConfirmation />}>
      We have mailed a link to <strong className="break-words">{user.email}</strong>. Without it we cannot be sure to
      reach you when money of yours moves.
    </Notice>
  )
}
