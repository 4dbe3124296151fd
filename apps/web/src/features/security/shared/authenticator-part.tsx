import { routes } from 'virtual:routes'
import type { SecondFactorState } from '@holdfast/contracts/second-factor'
import { useState } from 'react'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Button } from '../../../components/button.js'
import { dialogOnDemand } from '../../../components/dialog-on-demand.js'
import { formatDate } from '../../../lib/time.js'
import { useCommand } from '../../../lib/use-command.js'
import { refusalWords } from '../../auth/shared/refusal-words.js'
import type { AuthenticatorDialogProps } from './authenticator-dialog.js'
import { refreshFactors } from './refresh-factors.js'
import { removalWords } from './removal-words.js'
import { CONFIRMATION_REQUIRED, type Confirmed } from './use-confirmed.js'

const AuthenticatorDialog = dialogOnDemand<AuthenticatorDialogProps>(() => import('./authenticator-dialog.js'))

interface AuthenticatorPartProps {
  state: SecondFactorState
  confirmed: Confirmed
  onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** The authenticator app: whether there is one, and its set-up, replacement and removal. */
export function AuthenticatorPart({ state, confirmed, onAdded }: AuthenticatorPartProps) {
  const { authenticator } = state
  const [setup, setSetup] = useState<AuthenticatorDialogProps['setup']>(null)
  const [isRemoving, setRemoving] = useState(false)
  const start = useCommand(routes.startAuthenticator, {
    whether: 'the set-up has begun',
    done: () => null,
    refused: error => (error.code === CONFIRMATION_REQUIRED ? null : ['Not started', refusalWords(error)]),
    refresh: async () => undefined,
  })
  const remove = useCommand(routes.removeAuthenticator, {
    whether: 'the app was removed',
    done: () => ['Authenticator app removed'],
    refused: error => (error.code === CONFIRMATION_REQUIRED ? null : ['The app was not removed', refusalWords(error)]),
    refresh: refreshFactors,
  })
  return (
    <section className="grid content-start gap-3">
      <h2 className="display text-xl">Authenticator app</h2>
      <p className="text-ink-soft">
        {authenticator
          ? `Added on ${formatDate(new Date(authenticator.addedAt))}. Its code is asked for after your password.`
          : 'An app on your phone shows a new code every 30 seconds. It is asked for after your password.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          kind={authenticator ? 'quiet' : 'primary'}
          busy={start.busy}
          onClick={() => confirmed.run(() => start.give({}), setSetup)}
        >
          {authenticator ? 'Use Another App' : 'Set Up App'}
        </Button>
        {authenticator && (
          <Button kind="trouble" busy={remove.busy} onClick={() => setRemoving(true)}>
            Remove App
          </Button>
        )}
      </div>
      <AuthenticatorDialog
        key={setup?.secret ?? ''}
        open={setup !== null && confirmed.waiting === null}
        setup={setup}
        confirmed={confirmed}
        onClose={() => setSetup(null)}
        onAdded={codes => {
          setSetup(null)
          onAdded(codes)
        }}
      />
      <AlertDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove the authenticator app?"
        description={removalWords(state)}
        confirm="Remove App"
        busyWords="Removing..."
        kind="trouble"
        busy={remove.busy}
        onConfirm={() => {
          setRemoving(false)
          confirmed.run(() => remove.give({}))
        }}
      />
    </section>
  )
}
