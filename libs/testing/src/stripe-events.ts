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

/** On which day of a chargeback the steps happen. Within a test, events come in any order. */
const CHARGEBACK_DAY: Record<ChargebackStep, number> = {
  created: 0,
  updated: 1,
  funds_withdrawn: 0,
  funds_reinstated: 60,
  won: 60,
  lost: 60,
}
const CHARGEBACKS_BEGIN_AT = Date.UTC(2026, 0, 1) / 1000
const DAY_SECONDS = 86_400

interface ChargebackFields {
  readonly id?: string
  readonly status?: string
  readonly currency?: string
  /** What has moved on our balance because of it, in minor units. */
  readonly balance_transactions?: readonly {
    readonly amount: number
    readonly fee: number
    readonly currency: string
  }[]
}

/**
 * The event about a chargeback of a payment.
 *
 * @param day on which day of the chargeback it happens. A bank that decides again does that on a later day
 */
export const chargeback = (
  intent: string,
  amountMinor: number,
  step: ChargebackStep,
  { day = CHARGEBACK_DAY[step], ...more }: ChargebackFields & { readonly day?: number } = {},
) => ({
  ...eventOf(`charge.dispute.${step === 'won' || step === 'lost' ? 'closed' : step}`, {
    object: 'dispute',
    id: `du_${intent}`,
    amount: amountMinor,
    currency: 'usd',
    charge: `ch_${intent}`,
    payment_intent: intent,
    status: CHARGEBACK_STATUS[step],
    ...more,
  }),
  created: CHARGEBACKS_BEGIN_AT + day * DAY_SECONDS,
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
