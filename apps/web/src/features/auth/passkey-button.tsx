import { routes } from 'virtual:routes'
import { Button } from '../../components/button.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { toastError } from '../../lib/toast.js'
import { useCommand } from '../../lib/use-command.js'
import { refusalWords } from './shared/refusal-words.js'

/** Signs in with a passkey alone. */
export default function PasskeyButton() {
  const start = useCommand(routes.startPasskeySignIn, {
    whether: 'a passkey can be used',
    done: () => null,
    refused: error => ['Error', refusalWords(error)],
    refresh: async () => undefined,
  })
  const finish = useCommand(routes.signInWithPasskey, {
    whether: 'you are signed in',
    done: () => ['Signed in successfully!'],
    refused: error => ['You are not signed in', refusalWords(error)],
    refresh: refreshCurrentUser,
  })

  async function signIn() {
    const outcome = await start.give({})
    if (outcome?.kind !== 'done') return
    const { askForPasskey } = await import('../security/shared/passkey-ceremony.js')
    const ceremony = await askForPasskey(outcome.answer.options)
    if ('problem' in ceremony) toastError('You are not signed in', ceremony.problem)
    else await finish.give({ body: { passkey: ceremony.passkey } })
  }

  return (
    <Button kind="quiet" busy={start.busy || finish.busy} onClick={() => void signIn()}>
      Sign in with a passkey
    </Button>
  )
}
