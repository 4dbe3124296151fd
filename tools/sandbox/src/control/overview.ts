import { type Move, nextMove, trackersOf } from '../carrier/parcels.js'
import type { ParcelRecord, TrackerStatus } from '../carrier/records.js'
import { statusOf } from '../carrier/render.js'
import type { Context } from '../context.js'
import { display } from '../payments/amounts.js'
import { isByTransfer } from '../payments/payer.js'
import type { IntentRecord, IntentStatus, RefundRecord } from '../payments/records.js'
import { challengeUrl } from '../payments/render-intent.js'
import { TEST_CARDS } from '../payments/test-cards.js'
import type { DeliveryRecord } from '../webhooks/records.js'

const MAX_LISTED = 200

export type PaymentMove = 'settle' | 'decline' | 'return' | 'transfer' | 'challenge' | 'refund' | 'dispute'

/** A payment as the sandbox's page and tests see it. */
export interface PaymentOverview {
  readonly id: string
  readonly createdAt: string
  readonly amount: number
  readonly currency: string
  readonly display: string
  readonly status: IntentStatus
  readonly method: string | null
  readonly description: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly refunded: number
  readonly refundedDisplay: string
  readonly failure: string | null
  readonly challengeUrl: string | null
  readonly settlesAt: string | null
  /** What of a bank transfer is still missing, in the smallest unit; null for a payment that is not paid by transfer. */
  readonly missing: number | null
  readonly missingDisplay: string
  readonly refunds: readonly { readonly id: string; readonly display: string; readonly status: string }[]
  readonly dispute: { readonly id: string; readonly status: string } | null
  /** What can be done with it now. */
  readonly moves: readonly PaymentMove[]
}

export interface ParcelOverview {
  readonly code: string
  readonly carriers: readonly string[]
  readonly status: TrackerStatus
  readonly createdAt: string
  readonly scans: readonly { readonly at: string; readonly message: string; readonly city: string | null }[]
  readonly next: Move | null
}

export interface DeliveryOverview extends Omit<DeliveryRecord, 'createdAt' | 'dueAt' | 'recent'> {
  readonly createdAt: string
  readonly dueAt: string | null
  readonly recent: readonly { at: string; status: number | null; error: string | null; ms: number }[]
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Newest first, at most 200. */
export function overviewOfPayments(context: Context): PaymentOverview[] {
  const newest = context.state.intents.newestFirst().slice(0, MAX_LISTED)
  return newest.map(intent => overviewOfPayment(context, intent))
}

export function overviewOfPayment(context: Context, intent: IntentRecord): PaymentOverview {
  const { state } = context
  const charge = intent.chargeId === null ? undefined : state.charges.get(intent.chargeId)
  const refunds = charge ? state.refunds.newestFirst().filter(each => each.chargeId === charge.id) : []
  const dispute = charge?.disputed ? state.disputes.newestFirst().find(each => each.chargeId === charge.id) : undefined
  const refunded = charge?.amountRefunded ?? 0
  const missing = missingOf(intent)
  return {
    id: intent.id,
    createdAt: iso(intent.createdAt),
    amount: intent.amount,
    currency: intent.currency,
    display: display(intent.amount, intent.currency),
    status: intent.status,
    method: methodOf(context, intent),
    description: intent.description,
    metadata: intent.metadata,
    refunded,
    refundedDisplay: display(refunded, intent.currency),
    failure: intent.lastError?.message ?? null,
    challengeUrl: challengeUrl(context, intent),
    settlesAt: intent.settlesAt === null ? null : iso(intent.settlesAt),
    missing,
    missingDisplay: display(missing ?? 0, intent.currency),
    refunds: refunds.map(overviewOfRefund),
    dispute: dispute ? { id: dispute.id, status: dispute.status } : null,
    moves: movesOf(intent, refunded, charge?.disputed ?? false),
  }
}

/** Newest first, at most 200. */
export function overviewOfParcels(context: Context): ParcelOverview[] {
  const newest = context.state.parcels.newestFirst().slice(0, MAX_LISTED)
  return newest.map(parcel => overviewOfParcel(context, parcel))
}

export function overviewOfParcel(context: Context, parcel: ParcelRecord): ParcelOverview {
  return {
    code: parcel.id,
    carriers: trackersOf(context, parcel.id).map(each => each.carrier),
    status: statusOf(parcel),
    createdAt: iso(parcel.createdAt),
    scans: parcel.scans.map(({ at, message, city }) => ({ at: iso(at), message, city })),
    next: nextMove(parcel),
  }
}

/** Newest first, at most 200. */
export function overviewOfDeliveries(context: Context): DeliveryOverview[] {
  return context.state.deliveries.newestFirst().slice(0, MAX_LISTED).map(overviewOfDelivery)
}

export function overviewOfDelivery(delivery: DeliveryRecord): DeliveryOverview {
  return {
    ...delivery,
    createdAt: iso(delivery.createdAt),
    dueAt: delivery.status === 'pending' ? iso(delivery.dueAt) : null,
    recent: delivery.recent.map(attempt => ({ ...attempt, at: iso(attempt.at) })),
  }
}

/** What of a bank transfer is still to come; null for a payment that is not paid by transfer. */
function missingOf(intent: IntentRecord): number | null {
  const { status, amount, funded = 0 } = intent
  if (!isByTransfer(intent)) return null
  return status === 'requires_action' ? amount - funded : 0
}

function overviewOfRefund(refund: RefundRecord) {
  return { id: refund.id, display: display(refund.amount, refund.currency), status: refund.status }
}

function methodOf(context: Context, intent: IntentRecord): string | null {
  const id = intent.methodId ?? intent.lastError?.methodId
  const method = id === undefined || id === null ? undefined : context.state.methods.get(id)
  if (!method) return null
  if (method.type === 'card') return `card ${TEST_CARDS[method.instrument]?.number.slice(-4) ?? ''}`
  if (method.type === 'customer_balance') return 'bank transfer'
  return method.type === 'crypto' ? 'crypto wallet' : 'bank account'
}

function movesOf(intent: IntentRecord, refunded: number, disputed: boolean): PaymentMove[] {
  // A payer can transfer money at any time, also too much or too late.
  if (isByTransfer(intent)) {
    if (intent.status === 'processing') return ['settle', 'return', 'transfer']
    if (intent.status !== 'succeeded' || disputed || refunded >= intent.amount) return ['transfer']
    return ['transfer', 'refund']
  }
  if (intent.status === 'processing') return ['settle', 'decline']
  if (intent.status === 'requires_action') return ['challenge']
  if (intent.status === 'succeeded' && !disputed && refunded < intent.amount) return ['refund', 'dispute']
  return []
}
