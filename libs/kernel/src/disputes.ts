/** The vocabulary of disputes (spec sections 4 and 9). */
import { SETTLEMENT_CAUSES } from './deals.js'
import { displayAmount, isZero } from './money.js'

/**
 * The reasons for which a party may file a dispute. The spec names other reasons in the dialog than in the wizard. The server
 * accepts all of them.
 */
export const FILED_DISPUTE_REASONS = [
  'item_not_received',
  'item_not_as_described',
  'damaged_item',
  'seller_unresponsive',
  'payment_issues',
  'other',
  'item-not-received',
  'item-not-as-described',
  'item-damaged',
  'seller-non-responsive',
  'shipping-issues',
] as const
export type FiledDisputeReason = (typeof FILED_DISPUTE_REASONS)[number]

/** The reasons of disputes that only the system files. */
export const SYSTEM_DISPUTE_REASONS = ['chargeback', 'provider_refund'] as const

export const DISPUTE_REASONS = [...FILED_DISPUTE_REASONS, ...SYSTEM_DISPUTE_REASONS] as const
export type DisputeReason = (typeof DISPUTE_REASONS)[number]

export const DISPUTE_STATUSES = ['open', 'investigating', 'resolved', 'closed'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** The most disputes that one party may file on a deal. It is limited because each one stops the deal's clock. */
export const MAX_DISPUTES_PER_PARTY = 3
export const MAX_DISPUTE_DESCRIPTION_LENGTH = 4000

/** What a mediator can rule. The text of each is on the dispute resolution page. */
export const RULING_OUTCOMES = ['full_refund', 'partial_refund', 'seller_favor', 'return_exchange'] as const
export type RulingOutcome = (typeof RULING_OUTCOMES)[number]

/**
 * What the buyer gets of the price, for a sentence such as "The buyer gets … back": "$40.00 of the price", or "nothing".
 *
 * @param amount a decimal string; null for all that is held
 */
export function partOfPrice(amount: string | null, currency: string): string {
  if (amount === null) return 'everything'
  return isZero(amount) ? 'nothing' : `${displayAmount(amount, currency)} of the price`
}

/** What each outcome does, to follow "A mediator has ruled:". `part` is what a partial refund gives the buyer (`partOfPrice`). */
export const RULING_TEXTS: Record<RulingOutcome, (part: string) => string> = {
  full_refund: () => 'the buyer gets everything back, fees included.',
  partial_refund: part => `the buyer gets ${part} back, and the seller gets the rest, less the seller’s fee.`,
  seller_favor: () =>
    'the seller gets the price that is held, less the seller’s fee. None of it goes back to the buyer.',
  return_exchange: () =>
    `the buyer sends the item back within ${DISPUTE_CLOCK_DAYS.return_shipping} days, and gets a full refund when it is back. If nothing is shipped, the seller is paid.`,
}

/** Who must act next in a dispute. While it is the bank's turn, no time limit runs. */
export const DISPUTE_TURNS = ['buyer', 'seller', 'both', 'mediator', 'carrier', 'bank', 'none'] as const
export type DisputeTurn = (typeof DISPUTE_TURNS)[number]

/**
 * The time limits of a dispute. `first_look`, `ruling` and `second_ruling` (on an appeal, on a contested return, or when a ruling could
 * not be carried out) are the mediator's: when one passes, it is escalated, and it never decides about money.
 */
export const DISPUTE_CLOCKS = [
  'response',
  'first_look',
  'ruling',
  'appeal',
  'second_ruling',
  'return_shipping',
  'return_arrival',
  'return_check',
] as const
export type DisputeClock = (typeof DISPUTE_CLOCKS)[number]

/** How long each runs, in days. The setting `DAY_SECONDS` is the length of a day. */
export const DISPUTE_CLOCK_DAYS: Record<DisputeClock, number> = {
  response: 3,
  first_look: 2,
  ruling: 14,
  appeal: 7,
  second_ruling: 14,
  return_shipping: 14,
  return_arrival: 30,
  return_check: 3,
}
/** Who has taken a case: the one who reads it, or another mediator. */
export const TAKERS = ['reader', 'other'] as const

/**
 * How a dispute ended: by the decision that escrow posted, by the withdrawal of the party who filed it, or because something else
 * happened to the transaction, such as a confirmed delivery, a refund of the seller or the decision of a bank.
 */
export const DISPUTE_ENDS = [...SETTLEMENT_CAUSES, 'withdrawal', 'transaction'] as const

/** A reminder is sent this long before a time limit ends. */
export const DISPUTE_REMINDER_DAYS = 1
/**
 * When both parties stay silent for this long after the system has filed a dispute, and no scan ever showed that the parcel moved,
 * a full refund is proposed to the mediator.
 */
export const SILENT_DISPUTE_DAYS = 14

/** What a user may do in a dispute now. Each one is a route. */
export const DISPUTE_ACTIONS = [
  'addEvidence',
  'withdraw',
  'propose',
  'declineProposal',
  'waiveAppeal',
  'appeal',
  'shipReturn',
  'confirmReturn',
  'contestReturn',
  'investigate',
  'rule',
  'decideRuling',
] as const
export type DisputeAction = (typeof DISPUTE_ACTIONS)[number]

/** Who takes part in a dispute, as it is shown to the parties. */
export const DISPUTE_ROLES = ['buyer', 'seller', 'mediator'] as const
export type DisputeRole = (typeof DISPUTE_ROLES)[number]

/** What became of a proposal. A newer proposal of the same party supersedes the older one. */
export const PROPOSAL_STATES = ['open', 'superseded', 'declined', 'accepted', 'ended'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** The steps of a dispute, as its history shows them. */
export const DISPUTE_STEPS = [
  'filed',
  'answered',
  'response_ended',
  'investigation_begun',
  'taken_over',
  'notes_written',
  'evidence_added',
  'settlement_proposed',
  'settlement_declined',
  'settlement_agreed',
  'ruled',
  'appeal_waived',
  'appealed',
  'ruling_final',
  'return_shipped',
  'return_delivered',
  'return_confirmed',
  'return_contested',
  'return_not_shipped',
  'return_not_arrived',
  'not_carried_out',
  'reminded',
  'escalated',
  'time_extended',
  'time_stopped',
  'time_resumed',
  'withdrawn',
  'closed',
] as const
export type DisputeStep = (typeof DISPUTE_STEPS)[number]

export const MAX_EVIDENCE_NOTE_LENGTH = 4000
export const MAX_EVIDENCE_IMAGES = 10
/** The most entries that one party can add to a dispute. */
export const MAX_EVIDENCE_PER_PARTY = 50
/** The most proposals that one party can make in a dispute. */
export const MAX_PROPOSALS_PER_PARTY = 50
/** The most tracking numbers of a return. The seller is notified of each, and the carrier is asked about it. */
export const MAX_RETURN_SHIPMENTS = 10
/** The reasons of a ruling, the mediator's notes, and the reason of an appeal or of contesting a return. */
export const MAX_DISPUTE_REASONS_LENGTH = 4000
