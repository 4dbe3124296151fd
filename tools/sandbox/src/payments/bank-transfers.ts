/** Bank transfers: the payer sends money from their bank, in any amount and at any time (docs.stripe.com/payments/bank-transfers). */
import type { Cause, Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { awaitFinalFunds } from './attempts.js'
import { recordEvent, tellIntent } from './events.js'
import type { CashRecord, IntentRecord, PaymentFailure } from './records.js'
import { renderCash } from './render-money.js'

/** Why a transfer that had arrived is gone again. */
export const TRANSFER_RETURNED: PaymentFailure = {
  code: 'payment_intent_payment_attempt_failed',
  declineCode: null,
  message: 'The bank took the transfer back.',
}

/** What the provider keeps for a payer and no payment has taken. */
export function cashOf(context: Context, customerId: string): number {
  let sum = 0
  for (const each of context.state.cash.oldestFirst()) if (each.customerId === customerId) sum += each.netAmount
  return sum
}

/** Changes what the provider keeps for a payer, and tells the merchant. */
export function moveCash(
  context: Context,
  cause: Cause,
  move: Omit<CashRecord, 'id' | 'createdAt' | 'endingBalance'>,
): CashRecord {
  const record = context.state.cash.put({
    ...move,
    id: objectId('ccsbtxn'),
    createdAt: context.now(),
    endingBalance: cashOf(context, move.customerId) + move.netAmount,
  })
  recordEvent(context, cause, 'customer_cash_balance_transaction.created', renderCash(record), {
    subject: move.customerId,
  })
  return record
}

/** A transfer arrives at the payer's bank details. The payment takes of it what is missing; the rest stays the payer's. */
export function receiveTransfer(context: Context, cause: Cause, intent: IntentRecord, amount: number): IntentRecord {
  const customerId = payerOf(intent)
  moveCash(context, cause, { customerId, type: 'funded', netAmount: amount, currency: intent.currency })
  const after = intent.status === 'requires_action' ? apply(context, cause, intent, amount) : intent
  tellRest(context, cause, customerId, intent.currency)
  return after
}

/**
 * A payment that was cancelled gives the payer back what it has taken of their transfers. No new money comes in, so the event
 * `cash_balance.funds_available` is not sent.
 */
export function giveBack(context: Context, cause: Cause, intent: IntentRecord): IntentRecord {
  const { id: intentId, customerId, funded, currency } = intent
  if (customerId === undefined || !funded) return intent
  moveCash(context, cause, { customerId, type: 'unapplied_from_payment', netAmount: funded, currency, intentId })
  return context.state.intents.put({ ...intent, funded: 0 })
}

function apply(context: Context, cause: Cause, intent: IntentRecord, amount: number): IntentRecord {
  const before = intent.funded ?? 0
  const taken = Math.min(amount, intent.amount - before)
  moveCash(context, cause, {
    customerId: payerOf(intent),
    type: 'applied_to_payment',
    netAmount: -taken,
    currency: intent.currency,
    intentId: intent.id,
  })
  const funded = context.state.intents.put({ ...intent, funded: before + taken })
  if (before + taken === intent.amount) return awaitFinalFunds(context, cause, funded)
  tellIntent(context, cause, 'payment_intent.partially_funded', funded)
  return funded
}

/** Tells the merchant that the provider keeps money of a payer that no payment takes. */
function tellRest(context: Context, cause: Cause, customerId: string, currency: string): void {
  const available = cashOf(context, customerId)
  if (available <= 0) return
  const balance = {
    object: 'cash_balance',
    available: { [currency]: available },
    customer: customerId,
    livemode: false,
  }
  recordEvent(context, cause, 'cash_balance.funds_available', balance, { subject: customerId })
}

function payerOf(intent: IntentRecord): string {
  if (intent.customerId === undefined) throw StripeError.invalid('This PaymentIntent is not paid by bank transfer.')
  return intent.customerId
}
