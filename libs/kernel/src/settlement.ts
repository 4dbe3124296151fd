/**
 * How a dispute ends with money: what the buyer gets back of the price, and what that leaves to the seller and to us. escrow-svc
 * posts it, and the screens show it before a button is pressed, both by these functions.
 */
import { DomainError } from './errors.js'
import { type FeeBasis, sellerFeeOf } from './fees.js'
import { CURRENCY_EXPONENT, displayMinor, findAmount, formatAmount, parseAmount } from './money.js'

/** The facts from which the split of a deal's hold is computed. Amounts are minor units of `currency`. */
export interface SettlementBasis extends Pick<FeeBasis, 'currency' | 'feeSchedule' | 'sellerPlan'> {
  /** What the deal holds now. */
  readonly holdMinor: bigint
  readonly buyerFeeMinor: bigint
}

/** The same facts with amounts as decimal strings, as escrow-svc answers them. */
export interface SettlementFacts extends Pick<SettlementBasis, 'currency' | 'feeSchedule' | 'sellerPlan'> {
  /** What the deal holds now. */
  readonly held: string
  readonly buyerFee: string
}

/** @throws DomainError `AMOUNT_INVALID` for an amount that is not in the form of its currency */
export const settlementBasis = ({
  currency,
  held,
  buyerFee,
  feeSchedule,
  sellerPlan,
}: SettlementFacts): SettlementBasis => ({
  currency,
  feeSchedule,
  sellerPlan,
  holdMinor: parseAmount(held, currency),
  buyerFeeMinor: parseAmount(buyerFee, currency),
})

/** Who gets what of a deal's hold, in minor units. The three parts sum to the hold. */
export interface SettlementParts {
  /** To the buyer, with the buyer's fees when all of the price goes back. */
  readonly refundMinor: bigint
  /** To the seller, after the seller's fee. */
  readonly sellerNetMinor: bigint
  /** The fees that we keep. */
  readonly feesMinor: bigint
}

/**
 * The part of the price that is still held, in minor units. It is the whole price unless a part of the payment has left the hold: by
 * a refund at the provider, or to the buyer's bank.
 */
export const heldPriceMinor = ({ holdMinor, buyerFeeMinor }: SettlementBasis): bigint =>
  holdMinor > buyerFeeMinor ? holdMinor - buyerFeeMinor : 0n

/**
 * Splits the hold when the buyer gets back `refundMinor` of the price that is still held. When that is all of it, the buyer's fees go
 * back as well. Otherwise we keep the buyer's fees, and the seller's fee on what the seller gets.
 *
 * @param refundMinor from 0 to `heldPriceMinor`
 * @throws DomainError `AMOUNT_INVALID` when it is more, naming the field `refundAmount`
 */
export function splitHold(basis: SettlementBasis, refundMinor: bigint): SettlementParts {
  const { holdMinor, buyerFeeMinor, currency } = basis
  const held = heldPriceMinor(basis)
  if (refundMinor < 0n || refundMinor > held)
    throw new DomainError('AMOUNT_INVALID', {
      fields: { refundAmount: `From 0 to ${formatAmount(held, currency)} ${currency}` },
    })
  if (refundMinor === held) return { refundMinor: holdMinor, sellerNetMinor: 0n, feesMinor: 0n }
  const shareMinor = held - refundMinor
  const feeMinor = sellerFeeOf({ ...basis, priceMinor: shareMinor })
  return { refundMinor, sellerNetMinor: shareMinor - feeMinor, feesMinor: buyerFeeMinor + feeMinor }
}

/**
 * What is wrong with an amount that was sent for what the buyer gets back, as a sentence that names the limits; undefined when nothing
 * is. The form shows it before it sends, and dispute-svc answers it.
 *
 * @param use a settlement may be over nothing and over all of the price, a partial refund over neither
 */
export function refundFault(
  basis: SettlementBasis,
  entered: string,
  use: 'settlement' | 'partial_refund',
): string | undefined {
  const { currency } = basis
  const heldMinor = heldPriceMinor(basis)
  const [least, most] = [displayMinor(0n, currency), displayMinor(heldMinor, currency)]
  const limits = use === 'settlement' ? `from ${least} to ${most}` : `of more than ${least} and less than ${most}`
  if (entered === '' || entered.startsWith('-')) return `Enter an amount ${limits}.`
  const minor = findAmount(entered, currency)
  if (minor === null) {
    const places = CURRENCY_EXPONENT[currency]
    const form = /^\d+\.\d+$/.test(entered)
      ? `with at most ${places} digits after the point`
      : 'of digits, with a point before the cents, such as 12.50'
    return `Enter an amount ${form}. It must be ${use === 'settlement' ? limits : limits.slice('of '.length)}.`
  }
  if (minor > heldMinor) return `This is more than the price that is held. Enter an amount ${limits}.`
  if (use === 'settlement') return undefined
  if (minor === 0n) return `Enter an amount ${limits}. When nothing goes back, choose seller favor.`
  return minor === heldMinor ? `Enter an amount ${limits}. When all of it goes back, choose full refund.` : undefined
}
