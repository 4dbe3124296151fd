/** Stripe's accounts and payouts of sellers, reduced to what we use. */
import type { PayoutAccountStatus } from '@holdfast/kernel/payouts'
import type Stripe from 'stripe'

/** A seller's account at the provider. */
export interface ProviderAccount {
  readonly status: Exclude<PayoutAccountStatus, 'none'>
  /** What the provider needs or objects to, as the seller reads it; null when all is well. */
  readonly reason: string | null
  /** The bank account as the seller knows it. */
  readonly bankLabel: string | null
  /** The provider's id of the bank account. Another one has another id. */
  readonly bankId: string | null
}

/** A payout at the provider. `failed` may come after `paid`: the bank returned it. */
export interface SentPayout {
  readonly providerPayoutId: string
  readonly status: 'in_transit' | 'paid' | 'failed'
  /** Why it failed, as the seller reads it. */
  readonly failure: string | null
  readonly amountMinor: bigint
  readonly currency: string
}

/** An account that the provider does not show us any more. */
export const CLOSED_ACCOUNT: ProviderAccount = {
  status: 'restricted',
  reason: 'The payment provider has closed this account.',
  bankLabel: null,
  bankId: null,
}

/** Reads Stripe's account. */
export function toProviderAccount(account: Stripe.Account): ProviderAccount {
  const bank = bankOf(account)
  return { ...stateOf(account), bankLabel: bank && labelOf(bank), bankId: bank?.id ?? null }
}

function stateOf(account: Stripe.Account): Pick<ProviderAccount, 'status' | 'reason'> {
  if (account.payouts_enabled && account.capabilities?.transfers === 'active') return { status: 'ready', reason: null }
  if (!account.details_submitted) return { status: 'onboarding', reason: null }
  const disabled = account.requirements?.disabled_reason ?? ''
  if (disabled === 'requirements.pending_verification')
    return { status: 'onboarding', reason: 'The payment provider is checking your details.' }
  if (disabled.startsWith('rejected')) return { status: 'restricted', reason: CLOSED_ACCOUNT.reason }
  if (disabled === 'under_review' || disabled === 'listed')
    return { status: 'restricted', reason: 'The payment provider is reviewing this account.' }
  return { status: 'restricted', reason: 'The payment provider needs more details or another bank account from you.' }
}

type Bank = Stripe.BankAccount | Stripe.Card

/** The bank account that gets the payouts: an account at Stripe may have several in one currency. */
function bankOf({ external_accounts: accounts }: Stripe.Account): Bank | null {
  const banks = (accounts?.data ?? []) as Bank[]
  return banks.find(bank => bank.default_for_currency === true) ?? banks[0] ?? null
}

function labelOf(bank: Bank): string {
  const name = bank.object === 'bank_account' ? bank.bank_name : bank.brand
  return `${name ?? 'Bank account'} ending in ${bank.last4}`
}

/** Reads Stripe's payout. */
export const toSentPayout = (payout: Stripe.Payout): SentPayout => ({
  providerPayoutId: payout.id,
  status: payoutStatus(payout.status),
  failure: payoutStatus(payout.status) === 'failed' ? failureText(payout.failure_code) : null,
  amountMinor: BigInt(payout.amount),
  currency: payout.currency.toUpperCase(),
})

/** Our status for Stripe's status of a payout. */
function payoutStatus(status: string): SentPayout['status'] {
  switch (status) {
    case 'paid':
      return 'paid'
    case 'failed':
    case 'canceled':
      return 'failed'
    default:
      return 'in_transit'
  }
}

/** Stripe's codes of failed payouts that a seller can do something about (docs.stripe.com/api/payouts/failures). */
const FAILURES: Readonly<Record<string, string>> = {
  account_closed: 'The bank account has been closed.',
  account_frozen: 'The bank account is frozen.',
  bank_account_restricted: 'The bank account does not take such payments.',
  bank_ownership_changed: 'The bank account belongs to somebody else now.',
  could_not_process: 'The bank could not process the payout.',
  debit_not_authorized: 'The bank account does not allow this.',
  incorrect_account_holder_name: 'The name of the account holder is not right.',
  invalid_account_number: 'The account number is not right.',
  invalid_currency: 'The bank account does not take this currency.',
  no_account: 'The bank does not know this account.',
}
const failureText = (code: string | null) => FAILURES[code ?? ''] ?? 'The bank did not take the payout.'
