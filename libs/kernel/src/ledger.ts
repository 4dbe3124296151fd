/** The chart of accounts. */

/** Every kind of account. `hold`, `seller_payable`, `refund_due` and `unapplied` have one account for each subject. */
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

/** The business steps that a journal entry can record. */
export const ENTRY_KINDS = [
  'charge',
  'provider_fee',
  'stray_payment',
  'release',
  'refund',
  'refund_confirmed',
  'stray_refund_confirmed',
  'refund_returned',
  'stray_refund_returned',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
