/** The chart of accounts. `provider_clearing` is our balance at the payment provider, `crypto_clearing` the one at the crypto processor. */

/** Every kind of account. `hold`, `seller_payable`, `refund_due`, `unapplied` and `payout_in_transit` have one account for each subject. */
export const ACCOUNT_KINDS = [
  'provider_clearing',
  'crypto_clearing',
  'provider_costs',
  'custodian_cash',
  'hold',
  'seller_payable',
  'revenue',
  'refund_due',
  'unapplied',
  'chargeback_receivable',
  'payout_in_transit',
] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** The kinds of which each deal, seller, payment or payout has an account of its own. */
type DealAccountKind = Extract<AccountKind, 'hold' | 'refund_due'>
type SellerAccountKind = Extract<AccountKind, 'seller_payable'>
type PaymentAccountKind = Extract<AccountKind, 'unapplied'>
type PayoutAccountKind = Extract<AccountKind, 'payout_in_transit'>

/** An account as postings name it: `hold:7`, `seller_payable:<user id>`, `unapplied:<payment id>`, or a kind alone. */
export type Account =
  | Exclude<AccountKind, DealAccountKind | SellerAccountKind | PaymentAccountKind | PayoutAccountKind>
  | `${DealAccountKind}:${number}`
  | `${SellerAccountKind | PaymentAccountKind | PayoutAccountKind}:${string}`

/**
 * The kinds of accounts that an operator may adjust. The balance of each other kind also stands somewhere else: `hold` on the
 * deal's row, `refund_due` and `unapplied` as refunds, `chargeback_receivable` as chargebacks. An adjustment would make the two
 * differ.
 */
export const ADJUSTABLE_KINDS = [
  'provider_clearing',
  'crypto_clearing',
  'provider_costs',
  'custodian_cash',
  'revenue',
  'seller_payable',
] as const satisfies readonly AccountKind[]

/** The business steps that a journal entry can record. */
export const ENTRY_KINDS = [
  'charge',
  'provider_fee',
  'stray_payment',
  // The payer's bank has taken it back before it was refunded.
  'stray_payment_reversed',
  'release',
  'refund',
  'refund_confirmed',
  'stray_refund_confirmed',
  'refund_returned',
  'stray_refund_returned',
  'chargeback_opened',
  'chargeback_won',
  'chargeback_lost',
  // The bank had decided against us, and changes its decision.
  'chargeback_returned',
  'provider_refund',
  'provider_refund_failed',
  'refund_paid_otherwise',
  'settlement',
  'chargeback_fee',
  'chargeback_fee_returned',
  // Posted when the balance is set aside, before the payout is sent.
  'payout_sent',
  'payout_paid',
  'payout_returned',
  'provider_payout',
  'provider_payout_failed',
  'adjustment',
  'subscription_paid',
  // What left of a paid invoice again, or came back of that.
  'subscription_returned',
  // A fee of the provider that belongs to no charge.
  'account_fee',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/**
 * The kinds of entries that the parties of a deal see. The provider's fees are our costs, stray payments are not part of the
 * deal, and while a bank decides about a chargeback the deal still holds the money.
 */
export const PARTY_ENTRY_KINDS = [
  'charge',
  'release',
  'refund',
  'refund_confirmed',
  'refund_returned',
  'chargeback_lost',
  'chargeback_returned',
  'provider_refund',
  'provider_refund_failed',
  'refund_paid_otherwise',
  'settlement',
] as const satisfies readonly EntryKind[]
export type PartyEntryKind = (typeof PARTY_ENTRY_KINDS)[number]
