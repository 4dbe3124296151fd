import type { TimelineEntry, TransactionRecord } from '@holdfast/contracts/transactions'
import { assert } from '@holdfast/kernel/assert'
import type { DealStatus, TimelineKind } from '@holdfast/kernel/deals'
import { formatAmount } from '@holdfast/kernel/money'
import type { z } from 'zod'
import type { ClockEntryEntity, DealEntity, TimelineEntity } from './deal.entity.js'
import { CLOCK_OUTCOMES } from './domain/clocks.js'
import { buyerTotalMinor, partyOf, sellerNetMinor } from './domain/deal.js'
import { actionsOf, turnOf } from './domain/turns.js'

/** What is read beside the row to show a deal. */
export interface Beside {
  readonly timeline: readonly TimelineEntity[]
  readonly paymentProcessing: boolean
}

/** A deal as the one who asks sees it: their role, what they may do, whose turn it is, and where the money is. */
export function toRecord(t: DealEntity, beside: Beside, viewerId: string): z.input<typeof TransactionRecord> {
  const { terms } = t
  const viewerRole = partyOf(t, viewerId)
  assert(viewerRole !== null, `deal ${t.id} is shown to its parties`)
  return {
    id: t.id,
    listingId: t.listingId,
    buyerId: t.buyerId,
    sellerId: t.sellerId,
    amount: formatAmount(t.priceMinor, t.currency),
    currency: t.currency,
    status: t.status,
    createdAt: t.createdAt.toISOString(),
    updatedAt: t.updatedAt.toISOString(),
    listing: { ...terms, id: t.listingId, inspectionPeriod: t.inspectionDays },
    trackingNumber: t.trackingNumber,
    carrier: t.carrier,
    expectedDelivery: t.expectedDelivery?.toISOString() ?? null,
    viewerRole,
    actions: actionsOf(viewerRole, t.status),
    turn: turnOf(t.status),
    clock:
      t.clock && t.dueAt ? { kind: t.clock, dueAt: t.dueAt.toISOString(), outcome: CLOCK_OUTCOMES[t.clock] } : null,
    reached: reachedOf(beside.timeline),
    money: moneyOf(t),
    completesOnDelivery: t.inspectionDays === 0,
    paymentProcessing: beside.paymentProcessing,
  }
}

/** Every status entered, once, in order. */
function reachedOf(timeline: readonly TimelineEntity[]): { status: DealStatus; at: string }[] {
  const first = new Map<DealStatus, string>()
  for (const { status, at } of timeline) if (!first.has(status)) first.set(status, at.toISOString())
  return [...first].map(([status, at]) => ({ status, at }))
}

function moneyOf(t: DealEntity): z.input<typeof TransactionRecord>['money'] {
  const write = (minor: bigint) => formatAmount(minor, t.currency)
  return {
    buyerFee: write(t.buyerFeeMinor),
    buyerTotal: write(buyerTotalMinor(t)),
    sellerFee: write(t.sellerFeeMinor),
    sellerNet: write(sellerNetMinor(t)),
    held: write(t.holdMinor),
    released: write(t.releasedMinor),
    refunded: write(t.refundedMinor),
  }
}

/** Each step of a deal in a sentence for both parties. */
const TEXTS: Record<TimelineKind, string> = {
  open: 'The transaction was opened.',
  recordFunds: 'The buyer’s payment arrived and is held.',
  cancel: 'The transaction was cancelled before any payment.',
  endPaymentWindow: 'Nobody paid in time: the transaction was cancelled.',
  startHandover: 'The seller hands the item over without a carrier.',
  saveTracking: 'The seller shipped the item.',
  correctTracking: 'The seller corrected the tracking number.',
  endShipBy: 'The item was not shipped in time: the buyer is refunded.',
  endReceiveBy: 'The item did not arrive in time: a mediator will look at it, the money stays held.',
  recordDelivery: 'The carrier delivered the item.',
  confirmDelivery: 'The buyer confirmed that the item arrived.',
  inspect: 'The inspection period began.',
  accept: 'The buyer accepted the item: the funds were released.',
  endInspection: 'The inspection period ended: the funds were released.',
  release: 'The funds were released.',
  complete: 'The transaction is complete.',
  refund: 'The seller refunded the buyer in full.',
  freeze: 'A dispute was filed: every deadline is stopped, the money stays held.',
  resume: 'The dispute was withdrawn: the transaction goes on.',
  paymentFailed: 'A payment was declined. Nothing was charged.',
  strayPayment: 'A payment arrived that was not needed. It is on its way back.',
}

/** The history of a deal for its parties: each fact with the clock changes that came with it. */
export function toTimeline(
  t: DealEntity,
  facts: readonly TimelineEntity[],
  clocks: readonly ClockEntryEntity[],
): z.input<typeof TimelineEntry>[] {
  return facts.map(fact => {
    // What starts tells more than what stopped in the same moment.
    const changes = clocks.filter(c => c.at.getTime() === fact.at.getTime())
    const change = changes.find(c => c.change !== 'stopped') ?? changes[0]
    return {
      id: fact.id,
      kind: fact.kind,
      text: TEXTS[fact.kind],
      status: fact.status,
      actor: actorOf(t, fact.actor),
      at: fact.at.toISOString(),
      clock: change ? { kind: change.clock, change: change.change, dueAt: change.dueAt?.toISOString() ?? null } : null,
    }
  })
}

function actorOf(t: DealEntity, by: string): z.input<typeof TimelineEntry>['actor'] {
  const [kind, id = ''] = by.split(':')
  switch (kind) {
    case 'user':
      return partyOf(t, id) ?? 'mediator'
    case 'carrier':
    case 'provider':
      return kind
    case 'mediation':
      return 'mediator'
    default:
      return 'system'
  }
}
