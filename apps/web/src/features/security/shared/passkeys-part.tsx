import { routes } from 'virtual:routes'
import type { Passkey, SecondFactorState } from '@holdfast/contracts/second-factor'
import { useState } from 'react'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Button } from '../../../components/button.js'
import { dialogOnDemand } from '../../../components/dialog-on-demand.js'
import { formatDate } from '../../../lib/time.js'
import { useCommand } from '../../../lib/use-command.js'
import { refusalWords } from '../../auth/shared/refusal-words.js'
import type { PasskeyDialogProps } from './passkey-dialog.js'
import { refreshFactors } from './refresh-factors.js'
import { removalWords } from './removal-words.js'
import { CONFIRMATION_REQUIRED, type Confirmed } from './use-confirmed.js'

const PasskeyDialog = dialogOnDemand<PasskeyDialogProps>(() => import('./passkey-dialog.js'))

interface PasskeysPartProps {
  state: SecondFactorState
  confirmed: Confirmed
  onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** The passkeys: their list, one more, and the removal of one. */
export function PasskeysPart({ state, confirmed, onAdded }: PasskeysPartProps) {
  const { passkeys } = state
  const [options, setOptions] = useState<PasskeyDialogProps['options']>(null)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const start = useCommand(routes.startPasskey, {
    whether: 'a passkey can be made',
    done: () => null,
    refused: error => (error.code === CONFIRMATION_REQUIRED ? null : ['No passkey was added', refusalWords(error)]),
    refresh: async () => undefined,
  })
  const remove = useCommand(routes.removePasskey, {
    whether: 'the passkey was removed',
    done: () => ['Passkey removed'],
    refused: error =>
      error.code === CONFIRMATION_REQUIRED ? null : ['The passkey was not removed', refusalWords(error)],
    refresh: refreshFactors,
  })
  return (
    <section className="grid content-start gap-3">
      <h2 className="display text-xl">Passkeys</h2>
      <p className="text-ink-soft">
        You sign in with your fingerprint, face or PIN, on this device or with a security key. A passkey works without
        your password, and also as the step after it.
      </p>
      {passkeys.length > 0 && (
        <ul aria-label="Your passkeys" className="divide-y divide-rule border-y border-rule">
          {passkeys.map(passkey => (
            <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="min-w-0 truncate font-medium">{passkey.name}</p>
                <p className="text-sm text-ink-soft">{factsOf(passkey)}</p>
              </div>
              <Button
                kind="quiet"
                size="sm"
                busy={remove.busy}
                aria-label={`Remove ${passkey.name}`}
                onClick={() => setRemoved(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button
        kind={passkeys.length > 0 ? 'quiet' : 'primary'}
        busy={start.busy}
        className="justify-self-start"
        onClick={() =>
          confirmed.run(
            () => start.give({}),
            answer => setOptions(answer.options),
          )
        }
      >
        Add a Passkey
      </Button>
      <PasskeyDialog
        key={String(options?.challenge)}
        open={options !== null && confirmed.waiting === null}
        options={options}
        confirmed={confirmed}
        onClose={() => setOptions(null)}
        onAdded={codes => {
          setOptions(null)
          onAdded(codes)
        }}
      />
      <AlertDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={`Remove ${removed?.name ?? 'this passkey'}?`}
        description={removalWords(state)}
        confirm="Remove Passkey"
        busyWords="Removing..."
        kind="trouble"
        busy={remove.busy}
        onConfirm={() => {
          setRemoved(null)
          if (removed) confirmed.run(() => remove.give({ params: { passkeyId: removed.id } }))
        }}
      />
    </section>
  )
}

function factsOf({ addedAt, usedAt, isBackedUp }: Passkey): string {
  const used = usedAt === null ? 'not used yet' : `last used on ${formatDate(new Date(usedAt))}`
  return `Added on ${formatDate(new Date(addedAt))}, ${used}${isBackedUp ? ', kept by your device’s maker too' : ''}`
}
