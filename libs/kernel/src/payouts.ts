/** Payouts: what a seller has earned goes from their balance to their bank. */

/**
 * The statuses of a seller's account at the payment provider, into which payouts go. `onboarding`: the provider still needs
 * details from the seller. `restricted`: the provider pays nothing into it.
 */
export const PAYOUT_ACCOUNT_STATUSES = ['none', 'onboarding', 'ready', 'restricted'] as const
export type PayoutAccountStatus = (typeof PAYOUT_ACCOUNT_STATUSES)[number]

/**
 * The statuses of a payout, in the only order in which it takes them. `scheduled`: the money is set aside, and the provider has
 * not sent it. `in_transit`: it is on its way to the bank. A bank may return a payout days after it was `paid`.
 */
export const PAYOUT_STATUSES = ['scheduled', 'in_transit', 'paid', 'returned'] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

/**
 * How long payouts wait after another bank account was named, in days. The seller can confirm it with a mailed link before. Meanwhile they can
 * notice that somebody else has changed it.
 */
export const PAYOUT_ACCOUNT_WAIT_DAYS = 2

/** Why a seller is paid nothing now, in the order in which the reasons that apply are shown. */
export const PAYOUT_BLOCKS = [
  'not_verified',
  'email_not_confirmed',
  'no_account',
  'account_restricted',
  'account_changed',
  'negative_balance',
  'bank_decides',
  'nothing_available',
] as const
export type PayoutBlock = (typeof PAYOUT_BLOCKS)[number]

/** What a seller reads when nothing is paid out. */
export const PAYOUT_BLOCK_TEXTS: Record<PayoutBlock, string> = {
  not_verified: 'Holdfast has not verified your identity yet.',
  email_not_confirmed: 'You have not confirmed your e-mail address yet.',
  no_account: 'Add a payout account first: Holdfast does not know yet where to pay.',
  account_restricted: 'The payment provider cannot pay into your payout account now.',
  account_changed: `Your payout account was changed a short time ago, so payouts wait for ${PAYOUT_ACCOUNT_WAIT_DAYS} days. If our mail about it has a link, confirm it there, and they go on at once.`,
  negative_balance:
    'Your balance is below zero after a chargeback. Your next sales repay it before anything is paid out.',
  bank_decides: 'A buyer’s bank decides about a chargeback. Your balance waits for its decision.',
  nothing_available: 'There is nothing to pay out now.',
}

/** The same for an operator, who reads it about a seller. */
export const PAYOUT_BLOCK_OPERATOR_TEXTS: Record<PayoutBlock, string> = {
  not_verified: 'The seller is not verified.',
  email_not_confirmed: 'The seller has not confirmed their e-mail address.',
  no_account: 'The seller has no payout account yet.',
  account_restricted:
    'The payment provider cannot pay into the seller’s account now. The seller must name another bank account first.',
  account_changed: `The seller’s payout account was changed. Payouts wait for ${PAYOUT_ACCOUNT_WAIT_DAYS} days, unless the seller confirms it by the mail.`,
  negative_balance: 'The seller’s balance is below zero after a chargeback.',
  bank_decides: 'A bank decides about a chargeback, and the seller’s balance waits for its decision.',
  nothing_available: 'The seller’s balance is zero: nothing is left to pay out.',
}

/** How often a seller is paid out without asking, in days. */
export const PAYOUT_EVERY_DAYS = 1

/** How many payouts a seller sees, the newest first, and how many deals of each. */
export const MAX_PAYOUTS_SHOWN = 20
export const MAX_DEALS_OF_PAYOUT_SHOWN = 100

/** Our own payouts from the provider, into our bank account. `failed` may come after `paid`. */
export const PROVIDER_PAYOUT_STATUSES = ['in_transit', 'paid', 'failed'] as const
export type ProviderPayoutStatus = (typeof PROVIDER_PAYOUT_STATUSES)[number]
