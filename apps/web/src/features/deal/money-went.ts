import type { LedgerPosting } from '@holdfast/contracts/transactions'
import type { PartyEntryKind } from '@holdfast/kernel/ledger'
import { type Currency, formatAmount, parseAmount } from '@holdfast/kernel/money'
import type { z } from 'zod'

export type Posting = z.infer<typeof LedgerPosting>

/** One step of a deal's money, in the words of the product. */
export interface MoneyStep {
  readonly id: string
  readonly at: string
  readonly title: string
  readonly rows: readonly { readonly from: string; readonly to: string; readonly amount: string }[]
}

/**
 * Where the buyer's payment is now. The places sum to what was paid, to the cent, because each posting takes from one account
 * what it gives to another.
 */
export interface MoneyWent {
  readonly currency: Currency
  readonly steps: readonly MoneyStep[]
  readonly paid: string
  readonly places: readonly { readonly label: string; readonly amount: string }[]
  readonly sum: string
}

const ENTRY_TITLES: Readonly<Record<PartyEntryKind, string>> = {
  charge: 'The payment arrived',
  release: 'The funds were released',
  settlement: 'The dispute ended, and the held money went as decided',
  refund: 'The refund was ordered',
  refund_confirmed: 'The refund was sent to the buyer',
  refund_returned: 'The buyer’s bank returned the refund',
  provider_refund: 'A refund was made at the payment provider',
  provider_refund_failed: 'That refund failed: the money is held again',
  chargeback_lost: 'The buyer’s bank took the payment back',
  chargeback_returned: 'The buyer’s bank decided again, and gave it back',
  refund_paid_otherwise: 'The buyer has got this in another way, so it is not refunded as well',
}

/** The accounts of our balances at the providers, by which the buyer's money comes and goes back. */
const CLEARING_KINDS = ['provider_clearing', 'crypto_clearing'] as const

/** Reads the postings of a deal: each step, and at the end where the money lies. Null while nothing was posted. */
export function moneyWent(postings: readonly Posting[]): MoneyWent | null {
  const currency = postings[0]?.currency
  if (!currency) return null
  const balances = balancesOf(postings, currency)
  const paidMinor = sumOf(postings.filter(isCharge), currency)
  const clearing = CLEARING_KINDS.map(kind => balances.get(kind)?.minor ?? 0n)
  const backMinor = clearing.reduce((sum, minor) => sum + minor, paidMinor)
  const places = [...balances]
    .filter(([kind, { minor }]) => !CLEARING_KINDS.some(each => each === kind) && (minor !== 0n || kind === 'hold'))
    .map(([, { label, minor }]) => ({ label, minor }))
  if (backMinor !== 0n) places.push({ label: 'Back with the buyer', minor: backMinor })
  const sumMinor = places.reduce((sum, place) => sum + place.minor, 0n)
  return {
    currency,
    steps: stepsOf(postings),
    paid: formatAmount(paidMinor, currency),
    places: places.map(({ label, minor }) => ({ label, amount: formatAmount(minor, currency) })),
    sum: formatAmount(sumMinor, currency),
  }
}

const isCharge = ({ entry }: Posting) => entry === 'charge'

const sumOf = (postings: readonly Posting[], currency: Currency) =>
  postings.reduce((sum, posting) => sum + parseAmount(posting.amount, currency), 0n)

/** Credits less debits of every account kind, in order of appearance. */
function balancesOf(postings: readonly Posting[], currency: Currency) {
  const balances = new Map<string, { label: string; minor: bigint }>()
  const add = ({ kind, label }: Posting['debit'], minor: bigint) => {
    const known = balances.get(kind)
    balances.set(kind, { label, minor: (known?.minor ?? 0n) + minor })
  }
  for (const { debit, credit, amount } of postings) {
    const minor = parseAmount(amount, currency)
    add(debit, -minor)
    add(credit, minor)
  }
  return balances
}

function stepsOf(postings: readonly Posting[]): MoneyStep[] {
  const entries = new Map<string, Posting[]>()
  for (const posting of postings) entries.set(posting.entryId, [...(entries.get(posting.entryId) ?? []), posting])
  return [...entries].map(([id, rows]) => ({
    id,
    at: rows[0]?.at ?? '',
    title: rows[0] ? ENTRY_TITLES[rows[0].entry] : '',
    rows: rows.map(({ debit, credit, amount }) => ({ from: debit.label, to: credit.label, amount })),
  }))
}
