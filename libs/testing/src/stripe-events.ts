/** Stripe's events as escrow-svc receives them, with only the fields that it reads. */
import { newId } from '@holdfast/kernel/ids'

const newEventId = () => `evt_${newId()}`

const eventOf = <T extends object>(type: string, object: T, id = newEventId()) => ({
  id,
  object: 'event',
  type,
  livemode: false,
  data: { object },
})

/** The event for a payment that has succeeded. */
export const succeeded = (intent: string, amountMinor: number, id = newEventId()) =>
  intentEvent('payment_intent.succeeded', { id: intent, status: 'succeeded', amount_received: amountMinor }, id)

/** The event for a declined card. */
export const declined = (intent: string, id = newEventId()) =>
  intentEvent(
    'payment_intent.payment_failed',
    { id: intent, status: 'requires_payment_method', amount_received: 0 },
    id,
  )

/** The event for a payment that takes some time. */
export const processing = (intent: string, id = newEventId()) =>
  intentEvent('payment_intent.processing', { id: intent, status: 'processing', amount_received: 0 }, id)

type RefundEventType = 'refund.created' | 'refund.updated' | 'refund.failed'

interface RefundAtStripe {
  readonly amount: number
  readonly currency?: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly failure_reason?: string
}

/** An event about a refund that has our refund's id in its metadata. */
export const refundEvent = (
  type: RefundEventType,
  { refundId, intent, ...refund }: RefundAtStripe & { id: string; refundId: string; intent: string | null },
  id = newEventId(),
) => eventOf(type, refundObject({ ...refund, payment_intent: intent, metadata: { refund_id: refundId } }), id)

/** An event about a refund that an operator made at Stripe. Without an `id` a payment has one of them. */
export const refundMadeByHand = (
  type: RefundEventType,
  { intent, id = `re_${intent}`, ...refund }: RefundAtStripe & { id?: string; intent: string },
) => eventOf(type, refundObject({ ...refund, id, payment_intent: intent, metadata: {} }))

const refundObject = (refund: object) => ({ object: 'refund', currency: 'usd', ...refund })

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

/** The event about a chargeback of a payment. */
export const chargeback = (
  intent: string,
  amountMinor: number,
  step: ChargebackStep,
  more: { readonly id?: string; readonly status?: string; readonly currency?: string } = {},
) =>
  eventOf(`charge.dispute.${step === 'won' || step === 'lost' ? 'closed' : step}`, {
    object: 'dispute',
    id: `du_${intent}`,
    amount: amountMinor,
    currency: 'usd',
    charge: `ch_${intent}`,
    payment_intent: intent,
    status: CHARGEBACK_STATUS[step],
    ...more,
  })

const intentEvent = (type: string, intent: { id: string; status: string; amount_received: number }, id: string) =>
  eventOf(
    type,
    {
      object: 'payment_intent',
      payment_method_types: ['card'],
      amount: intent.amount_received,
      currency: 'usd',
      client_secret: null,
      latest_charge: null,
      metadata: {},
      last_payment_error: null,
      ...intent,
    },
    id,
  )
