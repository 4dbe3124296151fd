import { newId } from '@holdfast/kernel/ids'

/** Stripe's `payment_intent.succeeded` event, with only the fields that the service reads. */
export const succeeded = (intent: string, amountMinor: number, id = `evt_${newId()}`) =>
  intentEvent('payment_intent.succeeded', { id: intent, status: 'succeeded', amount_received: amountMinor }, id)

/** Stripe's event for a declined card. */
export const declined = (intent: string, id = `evt_${newId()}`) =>
  intentEvent(
    'payment_intent.payment_failed',
    { id: intent, status: 'requires_payment_method', amount_received: 0 },
    id,
  )

/** Stripe's event for a payment that takes some time. */
export const processing = (intent: string, id = `evt_${newId()}`) =>
  intentEvent('payment_intent.processing', { id: intent, status: 'processing', amount_received: 0 }, id)

/** Stripe's event about a refund that has our refund's id in its metadata. */
export const refundEvent = (
  type: 'refund.created' | 'refund.updated' | 'refund.failed',
  refund: {
    readonly id: string
    readonly refundId: string
    readonly intent: string | null
    readonly amount: number
    readonly currency?: string
    readonly status: 'pending' | 'succeeded' | 'failed'
  },
  id = `evt_${newId()}`,
) => ({
  id,
  object: 'event',
  type,
  livemode: false,
  data: {
    object: {
      object: 'refund',
      id: refund.id,
      status: refund.status,
      amount: refund.amount,
      currency: refund.currency ?? 'usd',
      payment_intent: refund.intent,
      metadata: { refund_id: refund.refundId },
    },
  },
})

/** Stripe's event about a refund that an operator made at Stripe. A payment has one of them in these tests. */
export const refundMadeByHand = (
  type: 'refund.created' | 'refund.updated' | 'refund.failed',
  refund: {
    readonly id?: string
    readonly intent: string
    readonly amount: number
    readonly currency?: string
    readonly status: 'pending' | 'succeeded' | 'failed'
  },
) => ({
  id: `evt_${newId()}`,
  object: 'event',
  type,
  livemode: false,
  data: {
    object: {
      object: 'refund',
      id: refund.id ?? `re_${refund.intent}`,
      status: refund.status,
      amount: refund.amount,
      currency: refund.currency ?? 'usd',
      payment_intent: refund.intent,
      metadata: {},
    },
  },
})

/** An event about a chargeback. `won` and `lost` are `closed` events with that outcome. */
export type ChargebackStep = 'created' | 'updated' | 'funds_withdrawn' | 'funds_reinstated' | 'won' | 'lost'

const CHARGEBACK_STATUS: Record<ChargebackStep, string> = {
  created: 'needs_response',
  updated: 'under_review',
  funds_withdrawn: 'needs_response',
  funds_reinstated: 'won',
  won: 'won',
  lost: 'lost',
}

/** Stripe's event about a chargeback of a payment. */
export const chargeback = (
  intent: string,
  amountMinor: number,
  step: ChargebackStep,
  more: { readonly id?: string; readonly status?: string; readonly currency?: string } = {},
) => ({
  id: `evt_${newId()}`,
  object: 'event',
  type: `charge.dispute.${step === 'won' || step === 'lost' ? 'closed' : step}`,
  livemode: false,
  data: {
    object: {
      object: 'dispute',
      id: `du_${intent}`,
      amount: amountMinor,
      currency: 'usd',
      charge: `ch_${intent}`,
      payment_intent: intent,
      status: CHARGEBACK_STATUS[step],
      ...more,
    },
  },
})

function intentEvent(type: string, intent: { id: string; status: string; amount_received: number }, id: string) {
  return {
    id,
    object: 'event',
    type,
    livemode: false,
    data: {
      object: {
        object: 'payment_intent',
        amount: intent.amount_received,
        currency: 'usd',
        client_secret: null,
        latest_charge: null,
        metadata: {},
        last_payment_error: null,
        ...intent,
      },
    },
  }
}
