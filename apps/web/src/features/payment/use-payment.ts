import { routes } from 'virtual:routes'
import type { Payment } from '@holdfast/contracts/payments'
import type { Transaction } from '@holdfast/contracts/transactions'
import { ApiError } from '@holdfast/http-client/api-error'
import { useCallback, useEffect, useState } from 'react'
import type { z } from 'zod'
import { isStatus, request } from '../../lib/api.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { refresh } from '../../lib/use-call.js'
import { attemptKey, endAttempt } from './attempt-key.js'
import { findIntent, type ProviderPayment } from './provider.js'

export type OpenPayment = ProviderPayment & Pick<z.infer<typeof Payment>, 'paymentId' | 'total' | 'currency'>

/** Where paying by card stands on this page. */
export type PaymentStage =
  | { readonly name: 'preparing' }
  | { readonly name: 'unavailable'; readonly error: unknown }
  /** The user can enter a card. `problem` is the provider's refusal of the last one. */
  | { readonly name: 'ready'; readonly payment: OpenPayment; readonly problem: string | null }
  /** The provider has accepted the card. The server has not confirmed the payment yet. */
  | { readonly name: 'confirming'; readonly payment: OpenPayment | null }
  /** The provider did not answer: whether the card was charged is not known yet. */
  | { readonly name: 'unknown'; readonly payment: OpenPayment }
  /** The payment was closed while its form was open, because another one was opened. A closed payment charges no card. */
  | { readonly name: 'closed' }

/**
 * Opens the payment of a deal, or continues the open one, and asks the provider for its state. So a reload, or the return from the bank,
 * shows that state and no form that could pay twice.
 */
export function usePayment(deal: Pick<Transaction, 'id' | 'paymentProcessing'>) {
  const { id, paymentProcessing } = deal
  const [stage, setStage] = useState<PaymentStage>({ name: 'preparing' })
  const [round, setRound] = useState(0)
  const begin = useCallback(() => setRound(count => count + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is the reason to run again
  useEffect(() => {
    let current = true
    const show = (next: PaymentStage) => current && setStage(next)
    if (paymentProcessing) show({ name: 'confirming', payment: null })
    else {
      show({ name: 'preparing' })
      openPayment(id).then(show, error => {
        show({ name: 'unavailable', error })
        // It may be paid or cancelled by now: then the page says so instead.
        void refreshAfter({ kind: 'transaction', transactionId: id })
      })
    }
    return () => {
      current = false
    }
  }, [id, paymentProcessing, round])
  return { stage, setStage, begin }
}

/** The key of an attempt may belong to a payment that was closed since, for example when its window ended. Then one new attempt is made. */
const MAX_OPENINGS = 2

async function openPayment(id: number): Promise<PaymentStage> {
  for (let opening = 1; opening <= MAX_OPENINGS; opening++) {
    // The payment of this key may be known to be closed: then the server refuses the key.
    const payment = await requestPayment(id).catch(error => {
      if (opening < MAX_OPENINGS && error instanceof ApiError && error.code === 'CONFLICT') return null
      throw error
    })
    const stage = payment && (await stageOf(payment))
    if (stage) return stage
    endAttempt(id, 'card')
  }
  throw new Error('every payment that was opened is closed already')
}

async function requestPayment(id: number): Promise<OpenPayment> {
  const answer = await request(routes.createPayment, {
    params: { id: String(id) },
    headers: { 'idempotency-key': attemptKey(id, 'card') },
    body: { method: 'card' },
  })
  // It has closed a payment of another method, whose bank details or address would still be shown.
  void refresh(routes.getPayment)
  const { paymentId, providerUrl, publishableKey, clientSecret, total, currency } = answer
  if (!publishableKey || !clientSecret) throw new Error('the server opened a payment without a way to pay it')
  return { paymentId, providerUrl, publishableKey, clientSecret, total, currency }
}

/**
 * The stage of a payment, by the provider's answer; null for a closed payment. While the provider does not answer, the stage is unknown
 * and the payment cannot be paid.
 */
export async function stageOf(payment: OpenPayment): Promise<PaymentStage | null> {
  try {
    const state = await findIntent(payment)
    if (state.kind === 'cancelled') return null
    if (state.kind === 'succeeded' || state.kind === 'processing') return { name: 'confirming', payment }
    return { name: 'ready', payment, problem: state.kind === 'open' ? state.problem : null }
  } catch (error) {
    console.warn('the payment provider could not be asked', error)
    return { name: 'unknown', payment }
  }
}

/**
 * Shows what is true after a card was refused, or after the provider gave no answer to it. Another tab or device may have paid meanwhile, and
 * this page may have missed it. So the provider is asked about the payment and the server about the deal, before the page says anything about
 * money. When the payment is still to be paid, the card did not pay: the form that sent the card stays, and `onRefused` shows that there.
 *
 * @param refusal the provider's words; null when it gave no answer
 */
export async function showAfterCard(
  dealId: number,
  payment: OpenPayment,
  refusal: string | null,
  { onStage, onRefused }: { onStage: (next: PaymentStage) => void; onRefused: (words: string | null) => void },
): Promise<void> {
  const [stage, isPayable] = await Promise.all([stageOf(payment), canBePaid(dealId)])
  if (!isPayable) return refreshAfter({ kind: 'transaction', transactionId: dealId })
  if (stage === null) onStage({ name: 'closed' })
  else if (stage.name === 'ready') onRefused(refusal ?? stage.problem)
  else onStage(stage)
}

/** Whether the deal still waits for a payment. When the server gives no answer, the page goes on showing what it has read before. */
async function canBePaid(id: number): Promise<boolean> {
  try {
    const { actions } = await request(routes.getTransaction, { params: { id: String(id) } })
    return actions.includes('pay')
  } catch (error) {
    // A deal that was cancelled before it was paid is gone.
    if (isStatus(error, 404)) return false
    console.warn('the server could not be asked about the deal', error)
    return true
  }
}
