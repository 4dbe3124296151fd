/**
 * Append-only double entry. A posting is one row that debits one account and credits another by the same amount, so every
 * posting balances. A journal entry is the list of postings of one business step. All amounts are minor units.
 */
import { assert } from '@holdfast/kernel/assert'
import type { Account, EntryKind } from '@holdfast/kernel/ledger'
import type { PaymentMethod } from '@holdfast/kernel/payments'

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

/** The names of the accounts. */
export const account = {
  providerClearing: 'provider_clearing',
  cryptoClearing: 'crypto_clearing',
  providerCosts: 'provider_costs',
  revenue: 'revenue',
  custodianCash: 'custodian_cash',
  chargebackReceivable: 'chargeback_receivable',
  hold: (dealId: number): Account => `hold:${dealId}`,
  sellerPayable: (userId: string): Account => `seller_payable:${userId}`,
  refundDue: (dealId: number): Account => `refund_due:${dealId}`,
  unapplied: (paymentId: string): Account => `unapplied:${paymentId}`,
  payoutInTransit: (payoutId: string): Account => `payout_in_transit:${payoutId}`,
} as const

/** The account of our balance at the provider that has the money of a payment by a method. */
const clearingOf = (method: PaymentMethod): Account =>
  method === 'crypto' ? account.cryptoClearing : account.providerClearing

/** The accounts that bear an amount, each with its part. */
export type Parts = readonly { readonly from: Account; readonly amountMinor: bigint }[]

/** Makes an entry. Postings of nothing, such as a fee of 0, are left out. @throws when an amount is negative */
const entry = (kind: EntryKind, postings: Posting[]): JournalEntry => {
  for (const { amountMinor } of postings) assert(amountMinor >= 0n, `${kind} posts a negative amount`)
  return { kind, postings: postings.filter(p => p.amountMinor > 0n) }
}

/** The buyer's money arrives at the provider and is held. */
export const charge = (dealId: number, totalMinor: bigint, method: PaymentMethod) =>
  entry('charge', [{ debit: clearingOf(method), credit: account.hold(dealId), amountMinor: totalMinor }])

/** A period of Premium was paid: it is our revenue, and no deal holds any of it. */
export const subscriptionPaid = (amountMinor: bigint) =>
  entry('subscription_paid', [{ debit: account.providerClearing, credit: account.revenue, amountMinor }])

/** Money of a paid period of Premium went back to its payer, by a refund or a chargeback; a negative amount came back to us. */
export const subscriptionReturned = (amountMinor: bigint) => {
  const { revenue, providerClearing } = account
  return entry('subscription_returned', [
    amountMinor >= 0n
      ? { debit: revenue, credit: providerClearing, amountMinor }
      : { debit: providerClearing, credit: revenue, amountMinor: -amountMinor },
  ])
}

/** The provider's fee of a charge. */
export const providerFee = (feeMinor: bigint, method: PaymentMethod) =>
  entry('provider_fee', [{ debit: account.providerCosts, credit: clearingOf(method), amountMinor: feeMinor }])

/** A fee that the provider took for our account and not for a charge; a negative amount was returned. */
export const accountFee = (feeMinor: bigint) => {
  const { providerCosts, providerClearing } = account
  return entry('account_fee', [
    feeMinor >= 0n
      ? { debit: providerCosts, credit: providerClearing, amountMinor: feeMinor }
      : { debit: providerClearing, credit: providerCosts, amountMinor: -feeMinor },
  ])
}

/** A payment that its deal does not take. The money stays on an account of its own until it is refunded. */
export const strayPayment = (paymentId: string, amountMinor: bigint, method: PaymentMethod) =>
  entry('stray_payment', [{ debit: clearingOf(method), credit: account.unapplied(paymentId), amountMinor }])

/** The payer's bank has taken back a transfer that no payment took, before it was refunded: nothing of that is owed any more. */
export const strayPaymentReversed = (paymentId: string, amountMinor: bigint) =>
  entry('stray_payment_reversed', [
    { debit: account.unapplied(paymentId), credit: account.providerClearing, amountMinor },
  ])

/** The hold goes to the seller, less the fees of both sides, which are our revenue. */
export const release = (dealId: number, sellerId: string, netMinor: bigint, feesMinor: bigint) =>
  entry('release', [
    { debit: account.hold(dealId), credit: account.sellerPayable(sellerId), amountMinor: netMinor },
    { debit: account.hold(dealId), credit: account.revenue, amountMinor: feesMinor },
  ])

/** The hold becomes a debt to the buyer: all that they paid. We bear the provider's fee. */
export const refund = (dealId: number, amountMinor: bigint) =>
  entry('refund', [{ debit: account.hold(dealId), credit: account.refundDue(dealId), amountMinor }])

/**
 * The hold is split at the end of a dispute: a debt to the buyer, the seller's part, and our fees.
 *
 * @param parts they sum to the hold
 */
export const settlement = (
  deal: { readonly id: number; readonly sellerId: string },
  parts: { readonly refundMinor: bigint; readonly sellerNetMinor: bigint; readonly feesMinor: bigint },
) =>
  entry('settlement', [
    { debit: account.hold(deal.id), credit: account.refundDue(deal.id), amountMinor: parts.refundMinor },
    { debit: account.hold(deal.id), credit: account.sellerPayable(deal.sellerId), amountMinor: parts.sellerNetMinor },
    { debit: account.hold(deal.id), credit: account.revenue, amountMinor: parts.feesMinor },
  ])

/** A refund that an operator made at the provider. Each account in `parts` bears its part. */
export const providerRefund = (dealId: number, parts: Parts) =>
  entry(
    'provider_refund',
    parts.map(({ from, amountMinor }) => ({ debit: from, credit: account.refundDue(dealId), amountMinor })),
  )

/** A refund that an operator made at the provider has failed: the accounts that bore it have the money again. */
export const providerRefundFailed = (dealId: number, parts: Parts) =>
  entry(
    'provider_refund_failed',
    parts.map(({ from, amountMinor }) => ({ debit: account.refundDue(dealId), credit: from, amountMinor })),
  )

/** The provider has refunded the buyer. */
export const refundConfirmed = (dealId: number, amountMinor: bigint, method: PaymentMethod) =>
  entry('refund_confirmed', [{ debit: account.refundDue(dealId), credit: clearingOf(method), amountMinor }])

/** The provider has refunded a stray payment. */
export const strayRefundConfirmed = (paymentId: string, amountMinor: bigint, method: PaymentMethod) =>
  entry('stray_refund_confirmed', [{ debit: account.unapplied(paymentId), credit: clearingOf(method), amountMinor }])

/** The buyer's bank returned a confirmed refund: we owe the buyer the money again. */
export const refundReturned = (dealId: number, amountMinor: bigint, method: PaymentMethod) =>
  entry('refund_returned', [{ debit: clearingOf(method), credit: account.refundDue(dealId), amountMinor }])

/** A bank returned the confirmed refund of a stray payment. */
export const strayRefundReturned = (paymentId: string, amountMinor: bigint, method: PaymentMethod) =>
  entry('stray_refund_returned', [{ debit: clearingOf(method), credit: account.unapplied(paymentId), amountMinor }])

/** The buyer's bank takes a payment back through the provider. Whether the bank keeps it is decided later. */
export const chargebackOpened = (amountMinor: bigint) =>
  entry('chargeback_opened', [{ debit: account.chargebackReceivable, credit: account.providerClearing, amountMinor }])

/** The bank has decided for us: the provider has the money again. */
export const chargebackWon = (amountMinor: bigint) =>
  entry('chargeback_won', [{ debit: account.providerClearing, credit: account.chargebackReceivable, amountMinor }])

/** The bank has decided against us. Each account in `parts` bears its part. */
export const chargebackLost = (parts: Parts) =>
  entry(
    'chargeback_lost',
    parts.map(({ from, amountMinor }) => ({ debit: from, credit: account.chargebackReceivable, amountMinor })),
  )

/** The bank had decided against us, and now decides for us. Each account in `parts` has its part again. */
export const chargebackReturned = (parts: Parts) =>
  entry(
    'chargeback_returned',
    parts.map(({ from, amountMinor }) => ({ debit: account.providerClearing, credit: from, amountMinor })),
  )

/** The provider's fee of a chargeback. */
export const chargebackFee = (feeMinor: bigint) =>
  entry('chargeback_fee', [{ debit: account.providerCosts, credit: account.providerClearing, amountMinor: feeMinor }])

/** The provider has returned its fee of a chargeback, because the bank decided for us. */
export const chargebackFeeReturned = (feeMinor: bigint) =>
  entry('chargeback_fee_returned', [
    { debit: account.providerClearing, credit: account.providerCosts, amountMinor: feeMinor },
  ])

/** A seller's balance is set aside for a payout, before anything is sent. */
export const payoutReserved = (payoutId: string, sellerId: string, amountMinor: bigint) =>
  entry('payout_sent', [
    { debit: account.sellerPayable(sellerId), credit: account.payoutInTransit(payoutId), amountMinor },
  ])

/** The seller's bank has the payout. The money has left our balance at the provider. */
export const payoutPaid = (payoutId: string, amountMinor: bigint) =>
  entry('payout_paid', [{ debit: account.payoutInTransit(payoutId), credit: account.providerClearing, amountMinor }])

/**
 * A payout is on the seller's balance again, and its money on ours at the provider.
 *
 * @param wasPaid whether it had been posted as paid: the bank returned it later
 */
export const payoutReturned = (payoutId: string, sellerId: string, amountMinor: bigint, wasPaid: boolean) =>
  entry('payout_returned', [
    ...(wasPaid
      ? [{ debit: account.providerClearing, credit: account.payoutInTransit(payoutId), amountMinor } as const]
      : []),
    { debit: account.payoutInTransit(payoutId), credit: account.sellerPayable(sellerId), amountMinor },
  ])

/** The provider has paid money from our balance into our bank account; a negative amount went the other way. */
export const providerPayout = (amountMinor: bigint) => entry('provider_payout', [betweenBankAndProvider(amountMinor)])

/** Our bank has refused a payout of the provider: the money is on our balance there again. */
export const providerPayoutFailed = (amountMinor: bigint) =>
  entry('provider_payout_failed', [betweenBankAndProvider(-amountMinor)])

function betweenBankAndProvider(toBankMinor: bigint): Posting {
  const { custodianCash, providerClearing } = account
  return toBankMinor >= 0n
    ? { debit: custodianCash, credit: providerClearing, amountMinor: toBankMinor }
    : { debit: providerClearing, credit: custodianCash, amountMinor: -toBankMinor }
}

/** The buyer has got what we owed in another way, by a lost chargeback or a refund made by hand. That was booked as our cost. */
export const refundPaidOtherwise = (owedOn: Account, amountMinor: bigint) =>
  entry('refund_paid_otherwise', [{ debit: owedOn, credit: account.providerCosts, amountMinor }])

/**
 * What was paid in another way was refunded as well, or has come back: the account has the amount again. It has the kind of the entry that
 * it reverses, so the sum of that kind is what the buyer got in place of a refund.
 */
export const refundSentAnyway = (owedOn: Account, amountMinor: bigint) =>
  entry('refund_paid_otherwise', [{ debit: account.providerCosts, credit: owedOn, amountMinor }])

/** An operator moves an amount from one account to another, where neither balance stands anywhere else (`ADJUSTABLE_KINDS`). */
export const adjustment = (debit: Account, credit: Account, amountMinor: bigint) =>
  entry('adjustment', [{ debit, credit, amountMinor }])

/** The effect of entries on one account, in minor units: credits less debits. */
export function effectOn(name: Account, entries: readonly JournalEntry[]): bigint {
  let sum = 0n
  for (const { postings } of entries)
    for (const { debit, credit, amountMinor } of postings) {
      if (credit === name) sum += amountMinor
      if (debit === name) sum -= amountMinor
    }
  return sum
}

/** What entries move from one account to another, less what they move back. */
function moved(from: Account, to: Account, entries: readonly JournalEntry[]): bigint {
  const between = entries.map(({ kind, postings }) => ({
    kind,
    postings: postings.filter(({ debit, credit }) => [from, to].includes(debit) && [from, to].includes(credit)),
  }))
  return effectOn(to, between)
}

/**
 * The balances on a deal's row, in minor units. They change only together with journal entries. Their sum is what the buyer
 * has paid.
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
  /** Taken back by the buyer's bank. */
  readonly chargedBackMinor: bigint
}

/** The effect of a deal's entries on its balances. */
export function effectOnDeal(
  deal: { readonly id: number; readonly sellerId: string },
  entries: readonly JournalEntry[],
): Balances {
  const own = { hold: account.hold(deal.id), seller: account.sellerPayable(deal.sellerId), revenue: account.revenue }
  const bearsLoss = (from: Account) => from === own.hold || from === own.seller || from === own.revenue
  return {
    holdMinor: effectOn(own.hold, entries),
    releasedMinor: effectOn(own.seller, entries),
    // Only the step out of the hold counts. The provider's confirmation of a refund moves no money of the deal.
    refundedMinor: moved(own.hold, account.refundDue(deal.id), entries),
    revenueMinor: effectOn(own.revenue, entries),
    // A part that we bear ourselves was never the deal's money.
    chargedBackMinor: entries
      .filter(({ kind }) => kind === 'chargeback_lost' || kind === 'chargeback_returned')
      .flatMap(({ postings }) => postings)
      .reduce((sum, { debit, credit, amountMinor }) => {
        if (bearsLoss(debit)) return sum + amountMinor
        return bearsLoss(credit) ? sum - amountMinor : sum
      }, 0n),
  }
}

/** The sum of two sets of balances, such as a deal's balances and an effect on them. */
export const addBalances = (a: Balances, b: Balances): Balances => ({
  holdMinor: a.holdMinor + b.holdMinor,
  releasedMinor: a.releasedMinor + b.releasedMinor,
  refundedMinor: a.refundedMinor + b.refundedMinor,
  revenueMinor: a.revenueMinor + b.revenueMinor,
  chargedBackMinor: a.chargedBackMinor + b.chargedBackMinor,
})
