import { routes } from 'virtual:routes'
import { Button } from '../../../components/button.js'
import { useSignedInUser } from '../../../lib/current-user.js'
import { useCommand } from '../../../lib/use-command.js'
import { refusalWords } from './refusal-words.js'

/** A button that mails the signed-in user another link to confirm their address. */
export function SendConfirmation() {
  const { email } = useSignedInUser()
  const { give, busy } = useCommand(routes.sendConfirmation, {
    whether: 'a mail was sent',
    done: () => ['Mail sent', `Look into the mailbox of ${email}.`],
    refused: error => ['No mail was sent', refusalWords(error)],
    refresh: async () => undefined,
  })
  return (
    <Button kind="quiet" busy={busy} onClick={() => void give({})}>
      {busy ? 'Sending...' : 'Send the Link Again'}
    </Button>
  )
}
