/**
 * Append-only double entry. A posting is one row that debits one account and credits another by the same amount, so it
 * is balanced by its shape; a journal entry is what one business step posts.
 */
import { assert } from '@holdfast/kernel/assert'
import type { EntryKind } from '@holdfast/kernel/ledger'

/** `hold:7`, `seller_payable:<user id>`, `unapplied:<payment id>`, or a platform account without a subject. */
export type Account = string

export interface Posting {
  readonly debit: Account
  readonly credit: Account
  /** Above zero. */
  readonly amountMinor: bigint
}

export interface JournalEntry {
  readonly kind: EntryKind
  readonly postings: readonly Posting[]
}

export const account = {
  providerClearing: 'provider_clearing',
  providerCosts: 'provider_costs',
  revenue: 'revenue',
  hold: (transactionId: number): Account => `hold:${transactionId}`,
  sellerPayable: (userId: string): Account => `seller_payable:${userId}`,
  refundDue: (transactionId: number): Account => `refund_due:${transactionId}`,
  unapplied: (paymentId: string): Account => `unapplied:${paymentId}`,
} as const

/** Keeps what moves something: a fee of nothing posts nothing. */
const entry = (kind: EntryKind, postings: Posting[]): JournalEntry => {
  for (const { amountMinor } of postings) assert(amountMinor >= 0n, `${kind} posts a negative amount`)
  return { kind, postings: postings.filter(p => p.amountMinor > 0n) }
}

/** The buyer's money arrives at the provider and is held. */
export const charge = (transactionId: number, totalMinor: bigint) =>
  entry('charge', [{ debit: account.providerClearing, credit: account.hold(transactionId), amountMinor: totalMinor }])

/** What the provider keeps of a charge. */
export const providerFee = (feeMinor: bigint) =>
  entry('provider_fee', [{ debit: account.providerCosts, credit: account.providerClearing, amountMinor: feeMinor }])

/** Money for a deal that no longer takes any: kept apart until it is back with its owner. */
export const strayPayment = (paymentId: string, amountMinor: bigint) =>
  entry('stray_payment', [{ debit: account.providerClearing, credit: account.unapplied(paymentId), amountMinor }])

/** The hold ends: the seller is owed the price less their fee, both fees are ours. */
export const release = (transactionId: number, sellerId: string, netMinor: bigint, feesMinor: bigint) =>
  entry('release', [
    { debit: account.hold(transactionId), credit: account.sellerPayable(sellerId), amountMinor: netMinor },
    { debit: account.hold(transactionId), credit: account.revenue, amountMinor: feesMinor },
  ])

/** The hold ends: the buyer is owed all they paid; the provider's costs stay ours. */
export const refund = (transactionId: number, amountMinor: bigint) =>
  entry('refund', [{ debit: account.hold(transactionId), credit: account.refundDue(transactionId), amountMinor }])

/** The provider has sent a refund back. */
export const refundConfirmed = (transactionId: number, amountMinor: bigint) =>
  entry('refund_confirmed', [
    { debit: account.refundDue(transactionId), credit: account.providerClearing, amountMinor },
  ])

export const strayRefundConfirmed = (paymentId: string, amountMinor: bigint) =>
  entry('stray_refund_confirmed', [
    { debit: account.unapplied(paymentId), credit: account.providerClearing, amountMinor },
  ])

/** A refund that was confirmed and came back: the buyer's bank did not take it, and the buyer is owed it again. */
export const refundReturned = (transactionId: number, amountMinor: bigint) =>
  entry('refund_returned', [{ debit: account.providerClearing, credit: account.refundDue(transactionId), amountMinor }])

export const strayRefundReturned = (paymentId: string, amountMinor: bigint) =>
  entry('stray_refund_returned', [
    { debit: account.providerClearing, credit: account.unapplied(paymentId), amountMinor },
  ])

/** What entries do to one account, in minor units: credits less debits. */
export function effectOn(name: Account, entries: readonly JournalEntry[]): bigint {
  let sum = 0n
  for (const { postings } of entries)
    for (const p of postings) sum += (p.credit === name ? p.amountMinor : 0n) - (p.debit === name ? p.amountMinor : 0n)
  return sum
}

/**
 * Where a deal's money is, in minor units. These stand on the deal's row and change only by what its journal posts. Together
 * they are what the buyer paid.
 */
export interface Balances {
  /** Held in escrow now. */
  readonly holdMinor: bigint
  /** Released to the seller. */
  readonly releasedMinor: bigint
  /** Owed or returned to the buyer. */
  readonly refundedMinor: bigint
  /** Kept as fees. */
  readonly revenueMinor: bigint
}

/** What entries of a deal do to its balances. */
export function effectOnDeal(
  deal: { readonly id: number; readonly sellerId: string },
  entries: readonly JournalEntry[],
): Balances {
  return {
    holdMinor: effectOn(account.hold(deal.id), entries),
    releasedMinor: effectOn(account.sellerPayable(deal.sellerId), entries),
    refundedMinor: effectOn(account.refundDue(deal.id), entries),
    revenueMinor: effectOn(account.revenue, entries),
  }
}

/** Balances after an effect. */
export const addBalances = (a: Balances, b: Balances): Balances => ({
  holdMinor: a.holdMinor + b.holdMinor,
  releasedMinor: a.releasedMinor + b.releasedMinor,
  refundedMinor: a.refundedMinor + b.refundedMinor,
  revenueMinor: a.revenueMinor + b.revenueMinor,
})
