import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useEffect, useState } from 'react'
import { ButtonLink } from '../../components/button.js'
import { Spinner } from '../../components/spinner.js'
import { request } from '../../lib/api.js'
import { paths } from '../../lib/paths.js'
import { refresh } from '../../lib/use-call.js'
import { startAwaiting } from './awaited-payment.js'
import { type OpenPayment, stageOf } from './use-payment.js'

/** How often the server is asked, in case a live event does not come. */
const POLL_MS = 2_000
/** After this time the page says that the buyer may leave it. */
const PATIENCE_MS = 15_000

interface ConfirmingProps {
  deal: Transaction
  /** Null when only the server's word says that the provider works on it. The end of that changes the deal. */
  payment: OpenPayment | null
  /** Called when the provider has declined the card after all. */
  onDeclined: () => void
}

/** Waits until the server confirms the payment. Once the deal is paid, the page shows `NotPayable` in its place. */
export function Confirming({ deal, payment, onDeclined }: ConfirmingProps) {
  const { id } = deal
  usePolledDeal(id, payment, onDeclined)
  const slow = useAfter(PATIENCE_MS)
  useEffect(() => startAwaiting(id), [id])
  return (
    <div role="status" className="grid gap-4">
      <p className="flex items-center gap-3 text-lg font-semibold">
        <Spinner className="size-5" />
        Processing...
      </p>
      <p className="text-ink-soft">
        Your card was accepted. We wait for the payment provider to confirm that the money has arrived; there is no need
        to pay again.
      </p>
      {slow && (
        <>
          <p className="text-ink-soft">
            This takes longer than usual. You can leave this page: the transaction goes on as soon as the provider has
            confirmed it. If it does not, nothing is lost and nothing is charged twice.
          </p>
          <div>
            <ButtonLink to={paths.transaction(id)} kind="quiet">
              Back to Transaction
            </ButtonLink>
          </div>
        </>
      )}
    </div>
  )
}

/**
 * Asks the server about the payment every two seconds. The server asks the provider when no event has come. A card that is declined between
 * two questions leaves the deal as it was, so the provider itself is asked while the server says that the payment is open.
 */
function usePolledDeal(id: number, payment: OpenPayment | null, onDeclined: () => void) {
  useEffect(() => {
    let current = true
    const timer = setInterval(async () => {
      try {
        const { status } = await request(routes.getPayment, { params: { id: String(id) } })
        const isDeclined = status === 'open' && payment && (await stageOf(payment))?.name === 'ready'
        if (isDeclined && current) return onDeclined()
      } catch (error) {
        console.warn('the server could not be asked about the payment', error)
      }
      await refresh(routes.getTransaction)
    }, POLL_MS)
    return () => {
      current = false
      clearInterval(timer)
    }
  }, [id, payment, onDeclined])
}

function useAfter(delayMs: number): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return over
}
