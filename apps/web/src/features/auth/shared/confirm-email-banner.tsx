import { routes } from 'virtual:routes'
import { Button } from '../../../components/button.js'
import { Notice } from '../../../components/notice.js'
import type { CurrentUser } from '../../../lib/current-user.js'
import { useCommand } from '../../../lib/use-command.js'
import { refusalWords } from './refusal-words.js'

/** Asks a user to open the link that was mailed to their address, and sends it again. */
export function ConfirmEmailBanner({ user }: { user: CurrentUser }) {
  const { give, busy } = useCommand(routes.sendConfirmation, {
    whether: 'a mail was sent',
    done: () => ['Mail sent', `Look into the mailbox of ${user.email}.`],
    refused: error => ['No mail was sent', refusalWords(error)],
    refresh: async () => undefined,
  })
  return (
    <Notice
      title="Please confirm your e-mail address"
      action={
        <Button kind="quiet" busy={busy} onClick={() => void give({})}>
          {busy ? 'Sending...' : 'Send Again'}
        </Button>
      }
    >
      We have mailed a link to <strong className="break-words">{user.email}</strong>. Without it we cannot be sure to
      reach you when money of yours moves.
    </Notice>
  )
}
