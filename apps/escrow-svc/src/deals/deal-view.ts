import type { TimelineEntry, TransactionRecord } from '@holdfast/contracts/transactions'
import { assert } from '@holdfast/kernel/assert'
import type { Clock } from '@holdfast/kernel/clocks'
import type { DealStatus, TimelineActor, TimelineKind } from '@holdfast/kernel/deals'
import { formatAmount } from '@holdfast/kernel/money'
import type { RefundProgress } from '@holdfast/kernel/payments'
import type { z } from 'zod'
import type { ClockEntryEntity, DealEntity, TimelineEntity } from './deal.entity.js'
import type { ChargebacksOfDeal } from './deal-chargebacks.js'
import { CLOCK_OUTCOMES } from './domain/clocks.js'
import { type ActorKind, buyerTotalMinor, type ChangedBy, partyOf, sellerNetMinor, stateOf } from './domain/deal.js'
import { actionsOf, turnOf } from './domain/turns.js'

/** The rows of other tables that are read to show a deal. */
export interface RelatedRows {
  readonly timeline: readonly TimelineEntity[]
  readonly paymentProcessing: boolean
  readonly refund: RefundProgress | null
  readonly chargeback: ChargebacksOfDeal | null
}

/** A deal as one of its parties sees it: their role, what they may do, whose turn it is, and where the money is. */
export function toRecord(deal: DealEntity, related: RelatedRows, viewerId: string): z.input<typeof TransactionRecord> {
  const viewerRole = partyOf(deal, viewerId)
  assert(viewerRole !== null, `deal ${deal.id} is shown to its parties`)
  return {
    id: deal.id,
    listingId: deal.listingId,
    buyerId: deal.buyerId,
    sellerId: deal.sellerId,
    amount: formatAmount(deal.priceMinor, deal.currency),
    currency: deal.currency,
    status: deal.status,
    createdAt: deal.createdAt.toISOString(),
    updatedAt: deal.updatedAt.toISOString(),
    listing: soldListing(deal),
    trackingNumber: deal.trackingNumber,
    carrier: deal.carrier,
    expectedDelivery: deal.expectedDelivery?.toISOString() ?? null,
    viewerRole,
    openedBy: deal.openedBy === deal.sellerId ? 'seller' : 'buyer',
    sellerAccepted: deal.sellerAccepted,
    actions: actionsOf(viewerRole, deal),
    turn: turnOf(deal.status),
    clock: clockOf(deal.clock, deal.dueAt?.toISOString()),
    clockAfterDispute: deal.status === 'disputed' ? clockOf(deal.frozen?.clock, deal.frozen?.endsAt) : null,
    reached: reachedOf(related.timeline),
    money: moneyOf(deal, related.chargeback?.inPlaceOfRefundMinor ?? 0n),
    completesOnDelivery: deal.inspectionDays === 0,
    paymentProcessing: related.paymentProcessing,
    refund: related.refund,
    forcedRefund: forcedRefundIn(related.timeline),
    waitsForBank: stateOf(deal) === 'charged_back',
    chargeback: related.chargeback?.view ?? null,
  }
}

const clockOf = (kind: Clock | null | undefined, dueAt: string | undefined) =>
  kind && dueAt !== undefined ? { kind, dueAt, outcome: CLOCK_OUTCOMES[kind] } : null

/** The item as the listing described it when the deal opened. */
export const soldListing = ({ terms, listingId, inspectionDays }: DealEntity) => ({
  ...terms,
  id: listingId,
  inspectionPeriod: inspectionDays,
})

/** Every status that the deal has had, in order, with the time of the first entry. */
function reachedOf(timeline: readonly TimelineEntity[]): { status: DealStatus; at: string }[] {
  const first = new Map<DealStatus, string>()
  for (const { status, at } of timeline) if (!first.has(status)) first.set(status, at.toISOString())
  return [...first].map(([status, at]) => ({ status, at }))
}

function forcedRefundIn(timeline: readonly TimelineEntity[]) {
  const fact = timeline.find(({ kind }) => kind === 'forceRefund')
  return fact ? { reason: fact.reason } : null
}

/** @param byBankMinor what the bank has paid in place of a refund that was not sent: the buyer has it from the bank, and not from us */
function moneyOf(deal: DealEntity, byBankMinor: bigint): z.input<typeof TransactionRecord>['money'] {
  const format = (minor: bigint) => formatAmount(minor, deal.currency)
  return {
    buyerFee: format(deal.buyerFeeMinor),
    buyerTotal: format(buyerTotalMinor(deal)),
    sellerFee: format(deal.sellerFeeMinor),
    sellerNet: format(sellerNetMinor(deal)),
    held: format(deal.holdMinor),
    released: format(deal.releasedMinor),
    refunded: format(deal.refundedMinor - byBankMinor),
    chargedBack: format(deal.chargedBackMinor + byBankMinor),
  }
}

/** Each step of a deal in a sentence for both parties. */
const TEXTS: Record<TimelineKind, string> = {
  open: 'The transaction was opened.',
  recordFunds: 'The buyer’s payment arrived and is held.',
  awaitTransfer: 'The buyer chose a slower way to pay: the time to pay was extended.',
  secureFunds: 'The buyer’s transfer arrived. It is held as soon as it is final.',
  returnFunds: 'The buyer’s transfer was taken back before it was final. The transaction waits for a payment again.',
  cancel: 'The transaction was cancelled before any payment.',
  endPaymentWindow: 'The payment did not arrive in time: the transaction was cancelled.',
  startHandover: 'The seller hands the item over without a carrier.',
  saveTracking: 'The seller shipped the item.',
  correctTracking: 'The seller corrected the tracking number.',
  endShipBy: 'The item was not shipped in time: the buyer is refunded.',
  endReceiveBy: 'The item did not arrive in time, so a dispute was opened.',
  recordDelivery: 'The carrier delivered the item.',
  confirmDelivery: 'The buyer confirmed that the item arrived.',
  inspect: 'The inspection period began.',
  accept: 'The buyer accepted the item: the funds were released.',
  endInspection: 'The inspection period ended: the funds were released.',
  release: 'The funds were released.',
  complete: 'The transaction is complete.',
  refund: 'The seller refunded the buyer in full.',
  forceRefund: 'Holdfast refunded the buyer in full.',
  freeze: 'A dispute was filed: the money stays held.',
  resume: 'The dispute was withdrawn: the transaction went on.',
  endDispute: 'The dispute about the delivery has ended.',
  paymentFailed: 'A payment was declined. This attempt charged nothing.',
  cryptoReturned: 'Cryptocurrency came too late or was too little. It goes back to the buyer’s wallet.',
  outage: 'Holdfast was not available for a while: the deadline was moved by that time.',
  chargebackFreeze: 'The buyer’s bank disputed the payment: every deadline was paused.',
  chargebackOpened: 'The buyer’s bank disputed the payment.',
  chargebackWon: 'The buyer’s bank has decided that the payment stands.',
  chargebackLost: 'The buyer’s bank has given the payment back to the buyer: the transaction is cancelled.',
  chargebackBooked: 'The buyer’s bank has given money of this payment back to the buyer.',
  providerRefundFreeze: 'A part of the payment was refunded to the buyer: every deadline was paused.',
  providerRefundBooked: 'A part of the payment was refunded to the buyer.',
  providerRefundInFull: 'The payment was refunded to the buyer: the transaction is cancelled.',
  providerRefundFailed: 'The refund to the buyer failed: the money was held again.',
  refundFailed: 'The refund did not reach the buyer. We still owe it.',
  lateDecline: 'An earlier attempt to pay was declined. It charged nothing.',
  settlement: 'The parties settled the dispute.',
  ruling: 'The ruling of the dispute was carried out.',
  return: 'The item came back to the seller.',
  strayPayment: 'A payment arrived that this transaction could not use. It is refunded.',
}

/** The history of a deal for its parties: each fact with the clock changes that came with it. */
export function toTimeline(
  deal: DealEntity,
  facts: readonly TimelineEntity[],
  clocks: readonly ClockEntryEntity[],
): z.input<typeof TimelineEntry>[] {
  return facts.map(fact => {
    // When one clock stops and another starts at the same time, the entry shows the one that starts.
    const changes = clocks.filter(c => c.version === fact.version && c.at.getTime() === fact.at.getTime())
    const change = changes.find(c => c.change !== 'stopped') ?? changes[0]
    return {
      id: fact.id,
      kind: fact.kind,
      text: TEXTS[fact.kind],
      reason: fact.reason,
      status: fact.status,
      actor: actorOf(deal, fact.actor),
      at: fact.at.toISOString(),
      clock: change ? { kind: change.clock, change: change.change, dueAt: change.dueAt?.toISOString() ?? null } : null,
    }
  })
}

function actorOf(deal: DealEntity, by: ChangedBy): TimelineActor {
  const [kind, id = ''] = by.split(':') as [ActorKind, string?]
  switch (kind) {
    case 'user':
      return partyOf(deal, id) ?? 'mediator'
    case 'carrier':
    case 'provider':
      return kind
    case 'mediation':
      return 'mediator'
    case 'clock':
    case 'operator':
      return 'system'
  }
}
