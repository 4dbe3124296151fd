import { newId } from '@holdfast/kernel/ids'

/** Stripe's event for a payment that has succeeded, with only the fields that escrow-svc reads. */
export const succeeded = (intent: string, amountMinor: number) =>
  eventOf('payment_intent.succeeded', {
    object: 'payment_intent',
    id: intent,
    status: 'succeeded',
    amount: amountMinor,
    amount_received: amountMinor,
    currency: 'usd',
    client_secret: null,
    latest_charge: null,
    metadata: {},
    last_payment_error: null,
  })

/** Stripe's event about a chargeback of a payment. */
export const chargeback = (intent: string, amountMinor: number, step: 'created' | 'won' | 'lost') =>
  eventOf(step === 'created' ? 'charge.dispute.created' : 'charge.dispute.closed', {
    object: 'dispute',
    id: `du_${intent}`,
    amount: amountMinor,
    currency: 'usd',
    charge: `ch_${intent}`,
    payment_intent: intent,
    status: step === 'created' ? 'needs_response' : step,
  })

/** Stripe's event about a refund that an operator made by hand. A payment has one of each amount. */
export const refundMadeByHand = (intent: string, amountMinor: number, status: 'succeeded' | 'failed') =>
  eventOf(status === 'failed' ? 'refund.failed' : 'refund.created', {
    object: 'refund',
    id: `re_${intent}_${amountMinor}`,
    status,
    amount: amountMinor,
    currency: 'usd',
    payment_intent: intent,
    metadata: {},
  })

function eventOf(type: string, object: object) {
  return { id: `evt_${newId()}`, object: 'event', type, livemode: false, data: { object } }
}
