import type { CardUsed, HistoryLine } from '@holdfast/contracts/receipts'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { type HistoryKind, type HistoryState, METHOD_LABELS } from '@holdfast/kernel/receipts'
import { type BadgeLooks, humanCase } from '../../../components/badge.js'

export const KIND_LABELS: Record<HistoryKind, string> = {
  payment: 'Payment',
  refund: 'Refund',
  chargeback: 'Chargeback',
}

/** What a state is called. `failed` differs: a payment that failed is over, a refund that failed is still owed. */
export function looksOf(kind: HistoryKind, state: HistoryState): BadgeLooks {
  if (kind === 'refund' && state === 'failed') return { label: 'Still owed to you', tone: 'trouble' }
  return LOOKS[state]
}

const LOOKS: Record<HistoryState, BadgeLooks> = {
  processing: { label: 'Processing' },
  incomplete: { label: 'Incomplete' },
  paid: { label: 'Paid', tone: 'done' },
  failed: { label: 'Failed', tone: 'trouble' },
  on_its_way: { label: 'On its way', tone: 'held' },
  returned: { label: 'Returned', tone: 'done' },
  void: { label: 'Not owed any more' },
  open: { label: 'Bank decides' },
  won: { label: 'Payment stands', tone: 'done' },
  lost: { label: 'Returned by your bank', tone: 'done' },
}

/** Whether the money of a line came back, or is to come back. */
export const isReturned = ({ kind, state }: Pick<HistoryLine, 'kind' | 'state'>): boolean =>
  kind !== 'payment' && state !== 'void' && state !== 'won'

/** How a payment was made: "Visa ending in 4242", "Bank transfer". */
export function methodLabel(method: PaymentMethod, card: CardUsed | null): string {
  if (!card) return METHOD_LABELS[method]
  return `${BRANDS[card.brand] ?? (card.brand === 'unknown' ? 'Card' : humanCase(card.brand))} ending in ${card.last4}`
}

/** The provider's names of brands that are not written as they are. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}
