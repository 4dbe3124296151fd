import type { SettlementTerms } from '@holdfast/contracts/transactions'
import { refundFault, settlementBasis } from '@holdfast/kernel/settlement'
import { readTypedAmount } from '@holdfast/kernel/typed-amount'

/** What was typed as a request carries it: "300.00". Undefined while it is no amount. */
export const typedAmount = ({ currency }: Pick<SettlementTerms, 'currency'>, typed: string): string | undefined =>
  readTypedAmount(typed, currency).amount

/** What is wrong with an amount that was typed for a settlement, or nothing. */
export const settlementFault = (terms: SettlementTerms, typed: string): string | undefined =>
  faultOf(terms, typed, 'settlement')

/** The same for a partial refund: neither nothing nor all of the price. */
export const partialFault = (terms: SettlementTerms, typed: string): string | undefined =>
  faultOf(terms, typed, 'partial_refund')

function faultOf(terms: SettlementTerms, typed: string, use: 'settlement' | 'partial_refund'): string | undefined {
  const text = typed.trim()
  if (text === '' || text.startsWith('-')) return refundFault(settlementBasis(terms), text, use)
  const { amount, fault } = readTypedAmount(text, terms.currency)
  return fault ?? refundFault(settlementBasis(terms), amount, use)
}
