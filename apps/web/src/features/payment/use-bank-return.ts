import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { toastError } from '../../lib/toast.js'
import { stopAwaiting } from './awaited-payment.js'
import type { PaymentStage } from './use-payment.js'

/** What the provider writes into the address when the bank's page leads back. */
const RETURN_PARAMS = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'] as const

/** After the bank's page: shows a refusal once it is known, and removes the provider's parameters from the address. */
export function useBankReturn(transactionId: number, stage: PaymentStage): void {
  const [params, setParams] = useSearchParams()
  useEffect(() => {
    const returned = params.get('redirect_status')
    if (returned === null || stage.name === 'preparing') return
    if (stage.name === 'ready') {
      stopAwaiting(transactionId)
      toastError('Payment Failed', stage.problem ?? 'There was an error processing your payment.')
    }
    const rest = new URLSearchParams(params)
    for (const name of RETURN_PARAMS) rest.delete(name)
    setParams(rest, { replace: true, preventScrollReset: true })
  }, [params, setParams, stage, transactionId])
}
