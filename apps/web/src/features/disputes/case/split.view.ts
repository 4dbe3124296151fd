import type { SettlementTerms } from '@holdfast/contracts/transactions'
import { DomainError } from '@holdfast/kernel/errors'
import { displayAmount, formatAmount, parseAmount } from '@holdfast/kernel/money'
import { heldPriceMinor, settlementBasis, splitHold } from '@holdfast/kernel/settlement'

/** Who would get what of the hold, as decimal strings. The parts sum to what is held. */
export interface Split {
  readonly refund: string
  readonly sellerNet: string
  readonly fees: string
}

/** The part of the price that is still held, as a decimal string: the most that can go back to the buyer. */
export const heldPrice = (terms: SettlementTerms): string =>
  formatAmount(heldPriceMinor(settlementBasis(terms)), terms.currency)

/**
 * How the hold is split when this much of the price goes back to the buyer. It is the rule by which the server posts it.
 *
 * @param refundAmount a decimal string; null while it is none that can be settled at
 */
export function splitAt(terms: SettlementTerms, refundAmount: string): Split | null {
  const { currency } = terms
  try {
    const parts = splitHold(settlementBasis(terms), parseAmount(refundAmount, currency))
    return {
      refund: formatAmount(parts.refundMinor, currency),
      sellerNet: formatAmount(parts.sellerNetMinor, currency),
      fees: formatAmount(parts.feesMinor, currency),
    }
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** What is wrong with an amount that was typed, or nothing. */
export function refundFault(terms: SettlementTerms, typed: string): string | undefined {
  if (typed.trim() === '') return 'Enter what the buyer gets back.'
  const minor = minorOf(terms, typed)
  if (minor === null) return 'Enter an amount such as 300.00.'
  const most = heldPriceMinor(settlementBasis(terms))
  return minor > most ? `Enter at most ${displayAmount(heldPrice(terms), terms.currency)}.` : undefined
}

/** The same for a partial refund: neither nothing nor all of the price. */
export function partialFault(terms: SettlementTerms, typed: string): string | undefined {
  const fault = refundFault(terms, typed)
  if (fault) return fault
  const minor = minorOf(terms, typed)
  if (minor === 0n) return 'Enter more than zero, or choose seller favor.'
  return minor === heldPriceMinor(settlementBasis(terms)) ? 'This is all of the price: choose full refund.' : undefined
}

/** Whether two amounts are the same, however they are written: "300" and "300.00". */
export const isSameAmount = (terms: Pick<SettlementTerms, 'currency'>, one: string, other: string): boolean =>
  minorOf(terms, one) !== null && minorOf(terms, one) === minorOf(terms, other)

function minorOf({ currency }: Pick<SettlementTerms, 'currency'>, amount: string): bigint | null {
  try {
    return parseAmount(amount, currency)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
