/** The vocabulary of a deal: its statuses, clocks and limits (spec sections 4 and 9). */

export const TRANSACTION_STATUSES = [
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
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** Finished and cancelled deals are over; every other one is active (dashboard figures). */
export const isFinished = (status: TransactionStatus) => status === 'released' || status === 'completed'
export const isActive = (status: TransactionStatus) => !isFinished(status) && status !== 'cancelled'

export const PARTY_ROLES = ['buyer', 'seller'] as const
export type PartyRole = (typeof PARTY_ROLES)[number]

export const PAYMENT_METHODS = ['card', 'bank', 'crypto'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** Deadlines in days; `DAY_SECONDS` says how long a day is. */
export const PAYMENT_WINDOW_DAYS: Record<PaymentMethod, number> = { card: 1, bank: 5, crypto: 5 }
export const SHIP_BY_DAYS = 7
export const RECEIVE_BY_DAYS_AFTER_SHIPPING = 30
export const RECEIVE_BY_DAYS_AFTER_HANDOVER = 14
/** As-is has no inspection, but a carrier's word alone still leaves this long to say that nothing came. */
export const AS_IS_CARRIER_INSPECTION_DAYS = 2
/** Time that is left at least when a withdrawn dispute first starts a clock again. */
export const MIN_RESUMED_CLOCK_DAYS = 1

/** A deal that waits for payment takes its listing off sale: one person can open so many at a time. */
export const MAX_UNPAID_DEALS = 50

export const CLOCKS = ['payment_window', 'ship_by', 'receive_by', 'inspection'] as const
export type Clock = (typeof CLOCKS)[number]

/** A day in seconds. `DAY_SECONDS` shortens it for whoever wants to see clocks pass; production refuses that. */
export const REAL_DAY_SECONDS = 86_400

export const MAX_TRACKING_NUMBER_LENGTH = 60
export const MAX_CARRIER_LENGTH = 60
/** Tracking is looked up only for longer numbers (spec section 9). */
export const MIN_TRACKING_LOOKUP_LENGTH = 6
export const TRACKING_POLL_MS = 300_000
export const MAX_MESSAGE_LENGTH = 4000
export const MAX_IDEMPOTENCY_KEY_LENGTH = 128

export const TRACKING_STATUSES = [
  'pre_transit',
  'shipped',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'exception',
] as const
export type TrackingStatus = (typeof TRACKING_STATUSES)[number]

/** Every account of the ledger, by kind. `hold`, `seller_payable`, `refund_due` and `unapplied` are one per subject. */
export const ACCOUNT_KINDS = [
  'provider_clearing',
  'provider_costs',
  'custodian_cash',
  'hold',
  'seller_payable',
  'revenue',
  'refund_due',
  'unapplied',
] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]
