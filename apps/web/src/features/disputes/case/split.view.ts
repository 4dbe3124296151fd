import type { SettlementTerms } from '@holdfast/contracts/transactions'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount, parseAmount } from '@holdfast/kernel/money'
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
 * @param refundAmount a decimal string; the answer is null while it is none that can be settled at
 */
export function splitAt(terms: SettlementTerms, refundAmount: string | undefined): Split | null {
  if (refundAmount === undefined) return null
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
