import type { Cause, Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { enqueue } from '../webhooks/queue.js'
import type { ChargeRecord, DisputeRecord, IntentRecord, RefundRecord } from './records.js'
import { renderCharge } from './render-charge.js'
import { renderIntent } from './render-intent.js'
import { renderDispute, renderRefund } from './render-money.js'

/** Puts a record and an event for it. The event carries the object as it now is. */
export function tellIntent(
  context: Context,
  cause: Cause,
  type: `payment_intent.${string}`,
  intent: IntentRecord,
): void {
  record(context, cause, type, renderIntent(context, intent), intent.id)
}

export function tellCharge(
  context: Context,
  cause: Cause,
  type: `charge.${string}`,
  charge: ChargeRecord,
  previous: Readonly<Record<string, unknown>> | null = null,
): void {
  record(context, cause, type, renderCharge(context, charge), charge.intentId, previous)
}

export function tellRefund(
  context: Context,
  cause: Cause,
  type: `refund.${string}` | 'charge.refund.updated',
  refund: RefundRecord,
  previous: Readonly<Record<string, unknown>> | null = null,
): void {
  record(context, cause, type, renderRefund(refund), refund.intentId ?? refund.id, previous)
}

export function tellDispute(
  context: Context,
  cause: Cause,
  type: `charge.dispute.${string}`,
  dispute: DisputeRecord,
  previous: Readonly<Record<string, unknown>> | null = null,
): void {
  record(context, cause, type, renderDispute(context, dispute), dispute.intentId, previous)
}

function record(
  context: Context,
  cause: Cause,
  type: string,
  object: unknown,
  subject: string,
  previous: Readonly<Record<string, unknown>> | null = null,
): void {
  recordEvent(context, cause, type, object, { subject, previous })
}

/** Records an event and its delivery. */
export function recordEvent(
  context: Context,
  cause: Cause,
  type: string,
  object: unknown,
  about: {
    /** What it is about, for people: a payment's or a payout's id. */
    readonly subject: string
    /** The seller's account, when it is about one. */
    readonly account?: string
    readonly previous?: Readonly<Record<string, unknown>> | null
  },
): void {
  const event = context.state.events.put({
    id: objectId('evt'),
    createdAt: context.now(),
    type,
    ...(about.account !== undefined && { account: about.account }),
    objectJson: JSON.stringify(object),
    previous: about.previous ?? null,
    requestId: cause.requestId,
    idempotencyKey: cause.idempotencyKey,
  })
  enqueue(context, 'stripe', event.id, type, about.subject)
}
