import { routes } from 'virtual:routes'
import { useState } from 'react'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Button } from '../../../components/button.js'
import { useCommand } from '../../../lib/use-command.js'
import { refusalWords } from '../../auth/shared/refusal-words.js'
import { refreshFactors } from './refresh-factors.js'
import { CONFIRMATION_REQUIRED, type Confirmed } from './use-confirmed.js'

const FEW = 3

interface RecoveryCodesPartProps {
  left: number
  confirmed: Confirmed
  onRenewed: (recoveryCodes: readonly string[]) => void
}

/** How many recovery codes are left, and a new set. */
export function RecoveryCodesPart({ left, confirmed, onRenewed }: RecoveryCodesPartProps) {
  const [isAsking, setAsking] = useState(false)
  const renew = useCommand(routes.renewRecoveryCodes, {
    whether: 'new recovery codes were made',
    done: () => null,
    refused: error => (error.code === CONFIRMATION_REQUIRED ? null : ['No new codes were made', refusalWords(error)]),
    refresh: refreshFactors,
  })
  return (
    <section className="grid content-start gap-3">
      <h2 className="display text-xl">Recovery codes</h2>
      <p className="text-ink-soft">
        For when you have lost your phone or key. Each works once.{' '}
        <strong className={left <= FEW ? 'font-semibold text-needs' : 'font-semibold text-ink'}>
          {left === 1 ? 'One code is left.' : `${left} codes are left.`}
        </strong>
      </p>
      <Button kind="quiet" busy={renew.busy} className="justify-self-start" onClick={() => setAsking(true)}>
        Make New Codes
      </Button>
      <AlertDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Make new recovery codes?"
        description="The codes that you have now stop working."
        confirm="Make New Codes"
        busyWords="Making..."
        busy={renew.busy}
        onConfirm={() => {
          setAsking(false)
          confirmed.run(
            () => renew.give({}),
            ({ recoveryCodes }) => onRenewed(recoveryCodes),
          )
        }}
      />
    </section>
  )
}
