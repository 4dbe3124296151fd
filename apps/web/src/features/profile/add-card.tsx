import { routes } from 'virtual:routes'
import { useEffect, useState } from 'react'
import { Button } from '../../components/button.js'
import { LoadError } from '../../components/load-error.js'
import { Panel } from '../../components/panel.js'
import { Skeleton } from '../../components/skeleton.js'
import { request } from '../../lib/api.js'
import { paths } from '../../lib/paths.js'
import { toast } from '../../lib/toast.js'
import { CardEntry } from '../payment/shared/card-entry.js'
import type { ProviderPayment } from '../payment/shared/intent.js'

/** The form by which a card is saved. The card goes from the browser to the provider alone, and nothing is charged. */
export default function AddCard({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const [at, setAt] = useState<ProviderPayment | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is the reason to ask again
  useEffect(() => {
    let current = true
    setError(null)
    request(routes.setUpPaymentMethod, {}).then(
      answer => current && setAt(answer),
      (failure: unknown) => current && setError(failure),
    )
    return () => {
      current = false
    }
  }, [round])
  if (error) return <LoadError title="No card can be saved right now" error={error} retry={() => setRound(round + 1)} />
  return (
    <Panel className="max-w-md">
      <h3 className="mb-4 font-semibold">New card</h3>
      {at ? (
        <CardEntry
          at={at}
          label="Save Card"
          returnPath={paths.payouts}
          onDone={() => {
            toast('Card saved', 'Saving it charged nothing.')
            onSaved()
          }}
        />
      ) : (
        <Skeleton className="h-96 rounded-lg" />
      )}
      <Button kind="quiet" className="mt-3 w-full" onClick={onClose}>
        Close
      </Button>
    </Panel>
  )
}
