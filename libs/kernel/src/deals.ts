/** The vocabulary of a deal: its statuses, its parties and how many a person may open (spec sections 4 and 9). */

export const DEAL_STATUSES = [
  'pending',
  'secured',
  'in_progress',
  'paid',
  'shipped',
  'delivered',
  'inspection',
  'released',
  'completed',
  'cancelled',
  'disputed',
] as const
export type DealStatus = (typeof DEAL_STATUSES)[number]

/** A deal that is neither finished nor cancelled is active. The dashboard's figures count by this. */
export const isFinished = (status: DealStatus) => status === 'released' || status === 'completed'
export const isActive = (status: DealStatus) => !isFinished(status) && status !== 'cancelled'

export const PARTY_ROLES = ['buyer', 'seller'] as const
export type PartyRole = (typeof PARTY_ROLES)[number]

/** The most unpaid purchases that a person may have. Each of them takes its listing off sale. */
export const MAX_UNPAID_PURCHASES = 5
/** For this many days, each purchase that a buyer did not pay in time lowers that limit by one, at most down to one purchase. */
export const LAPSED_PURCHASE_COUNTS_DAYS = 30
/**
 * How many purchases a buyer may cancel a day. Each further one lowers `MAX_UNPAID_PURCHASES` by one for a day, down to no purchase
 * at all: the seller gets notifications for each, and the listing is off sale meanwhile.
 */
export const FREE_CANCELS_A_DAY = 4
/**
 * A buyer whose purchases of one listing stayed unpaid for so many days in all, within `LAPSED_PURCHASE_COUNTS_DAYS`, cannot buy
 * it again: they could keep it off sale for ever by cancelling and buying in turns.
 */
export const MAX_UNPAID_DAYS_OF_A_LISTING = 3
/** The most unpaid deals that a seller may have with buyers whom they chose for a listing. */
export const MAX_UNPAID_OFFERS = 50

/**
 * The most declined payments of a deal that its timeline and notifications show. A buyer can try cards without end, and the
 * seller would get a notification for each.
 */
export const MAX_RECORDED_DECLINES = 20
/** A deal with more changes than this takes no correction of its tracking number: the buyer gets a notification for each. */
export const MAX_CHANGES_BEFORE_CORRECTION = 100

/** The kinds of timeline entries. Each is named after the step that writes it. */
export const TIMELINE_KINDS = [
  'open',
  'awaitTransfer',
  'secureFunds',
  'returnFunds',
  'recordFunds',
  'cancel',
  'endPaymentWindow',
  'startHandover',
  'saveTracking',
  'correctTracking',
  'endShipBy',
  'endReceiveBy',
  'recordDelivery',
  'confirmDelivery',
  'inspect',
  'accept',
  'endInspection',
  'release',
  'complete',
  'refund',
  'forceRefund',
  'freeze',
  'resume',
  'endDispute',
  'paymentFailed',
  'cryptoReturned',
  'lateDecline',
  'strayPayment',
  'outage',
  'chargebackFreeze',
  'chargebackOpened',
  'chargebackWon',
  'chargebackLost',
  'chargebackBooked',
  'providerRefundFreeze',
  'providerRefundBooked',
  'providerRefundInFull',
  'providerRefundFailed',
  'refundFailed',
  'settlement',
  'ruling',
  'return',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** Who moved a deal, as its parties see it in the timeline. */
export const TIMELINE_ACTORS = ['buyer', 'seller', 'system', 'carrier', 'provider', 'mediator'] as const
export type TimelineActor = (typeof TIMELINE_ACTORS)[number]

/** Where the item of a deal is, as far as its status tells. */
export type ItemPlace = (typeof ITEM_PLACES)[number]
export const ITEM_PLACES = ['with_seller', 'on_its_way', 'with_buyer'] as const

/** Where the item of a deal is that has had these statuses. */
export function whereItemIs(statuses: readonly DealStatus[]): ItemPlace {
  const had = (...some: DealStatus[]) => some.some(status => statuses.includes(status))
  if (had('delivered', 'inspection')) return 'with_buyer'
  return had('shipped', 'in_progress') ? 'on_its_way' : 'with_seller'
}

/** What it means for the item that Holdfast has refunded the deal, as each party reads it. */
export const ITEM_AFTER_FORCED_REFUND: Readonly<Record<ItemPlace, Readonly<Record<PartyRole, string>>>> = {
  with_seller: {
    buyer: 'The seller does not send the item.',
    seller: 'You are not paid for the item. Do not send it.',
  },
  on_its_way: {
    buyer: 'The item may still arrive. Please agree with the seller in the chat on its return.',
    seller:
      'You are not paid for the item, which has already left you. Ask the carrier to bring it back, or agree with the buyer in the chat on its return.',
  },
  with_buyer: {
    buyer: 'Please agree with the seller in the chat on the return of the item.',
    seller: 'You are not paid for the item, which the buyer has. Agree with the buyer in the chat on its return.',
  },
}

/** What a party did to accept the terms of a deal. */
export const ACCEPTANCE_ACTS = ['signing', 'paying', 'shipping'] as const
export type AcceptanceAct = (typeof ACCEPTANCE_ACTS)[number]

/**
 * What ended a dispute with money: the parties agreed, a mediator ruled, or the buyer sent the item back. They are also kinds of
 * timeline entries.
 */
export const SETTLEMENT_CAUSES = ['settlement', 'ruling', 'return'] as const satisfies readonly TimelineKind[]
export type SettlementCause = (typeof SETTLEMENT_CAUSES)[number]

/**
 * Why a deal was cancelled. `endShipBy` and `refund` refund the buyer; `provider_refund` is a refund that an operator made at
 * the provider; after a `chargeback` the buyer's bank has the money; `forceRefund` is an operator's decision.
 */
export const CANCEL_CAUSES = [
  'cancel',
  'endPaymentWindow',
  'endShipBy',
  'refund',
  'chargeback',
  'provider_refund',
  ...SETTLEMENT_CAUSES,
  'forceRefund',
] as const
export type CancelCause = (typeof CANCEL_CAUSES)[number]
export const REFUND_CAUSES = [
  'endShipBy',
  'refund',
  'provider_refund',
  ...SETTLEMENT_CAUSES,
  'forceRefund',
] as const satisfies readonly CancelCause[]
export type RefundCause = (typeof REFUND_CAUSES)[number]

/**
 * Why a deal is in dispute: a party filed it, the item did not arrive in time, the buyer's bank disputes the payment, or an
 * operator refunded a part of the payment at the provider.
 */
export const DISPUTE_CAUSES = ['filed', 'receive_by', 'chargeback', 'provider_refund'] as const
export type DisputeCause = (typeof DISPUTE_CAUSES)[number]

/** What ends a dispute that the system filed: the item arrived after all, or the buyer is refunded. */
export const DISPUTE_END_CAUSES = ['recordDelivery', 'confirmDelivery', 'refund', 'forceRefund'] as const
export type DisputeEndCause = (typeof DISPUTE_END_CAUSES)[number]
