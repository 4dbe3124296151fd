import type { LedgerPosting } from '@holdfast/contracts/transactions'
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

/** Where everything that came in is now. The places sum to what was paid, to the cent. */
export interface MoneyWent {
  readonly currency: Currency
  readonly steps: readonly MoneyStep[]
  readonly paid: string
  readonly places: readonly { readonly label: string; readonly amount: string }[]
  readonly sum: string
  /** False would mean that the books do not agree with themselves, and is shown as such. */
  readonly balances: boolean
}

const ENTRY_TITLES: Readonly<Record<string, string>> = {
  charge: 'The payment arrived',
  release: 'The funds were released',
  refund: 'The refund was ordered',
  refund_confirmed: 'The refund was sent to the buyer',
  provider_refund: 'A refund was made at the payment provider',
  provider_refund_failed: 'That refund failed: the money is held again',
  chargeback_lost: 'The buyer’s bank took the payment back',
  refund_charged_back: 'The bank has paid the buyer, so the refund is not paid as well',
}

/** Reads the postings of a deal: each step, and at the end where the money lies. Null while nothing was posted. */
export function moneyWent(postings: readonly Posting[]): MoneyWent | null {
  const currency = postings[0]?.currency
  if (!currency) return null
  const balances = balancesOf(postings, currency)
  const paidMinor = sumOf(postings.filter(isCharge), currency)
  const returned = postings.filter(posting => posting.credit.kind === 'provider_clearing')
  const places = [...balances]
    .filter(([kind, { minor }]) => kind !== 'provider_clearing' && (minor !== 0n || kind === 'hold'))
    .map(([, { label, minor }]) => ({ label, minor }))
  if (returned.length > 0) places.push({ label: 'Back with the buyer', minor: sumOf(returned, currency) })
  const sumMinor = places.reduce((sum, place) => sum + place.minor, 0n)
  return {
    currency,
    steps: stepsOf(postings),
    paid: formatAmount(paidMinor, currency),
    places: places.map(({ label, minor }) => ({ label, amount: formatAmount(minor, currency) })),
    sum: formatAmount(sumMinor, currency),
    balances: sumMinor === paidMinor,
  }
}

const isCharge = (posting: Posting) => posting.debit.kind === 'provider_clearing'

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
    title: ENTRY_TITLES[rows[0]?.entry ?? ''] ?? rows[0]?.entry ?? '',
    rows: rows.map(({ debit, credit, amount }) => ({ from: debit.label, to: credit.label, amount })),
  }))
}
