/**
 * The fees of a deal. The schedule and both plans are frozen when the deal opens. The buyer's fees also depend on the
 * payment method, which the buyer chooses later.
 */
import { DomainError } from '@holdfast/kernel/errors'
import { buyerBasisPoints, FEE_SCHEDULES, type FeeSchedule, type FeeScheduleVersion } from '@holdfast/kernel/fees'
import { type Currency, shareOf } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import type { Plan } from '@holdfast/kernel/users'

/** The facts from which the fees of a deal are computed. */
export interface FeeBasis {
  readonly priceMinor: bigint
  readonly currency: Currency
  readonly feeSchedule: FeeScheduleVersion
  readonly buyerPlan: Plan
  readonly sellerPlan: Plan
}

export interface BuyerFees {
  readonly platformFeeMinor: bigint
  readonly processingFeeMinor: bigint
  /** The sum of both: what the buyer pays beyond the price. */
  readonly buyerFeeMinor: bigint
  /** The platform fee as a share of the price. The fee's label shows it. */
  readonly platformBasisPoints: number
}

/**
 * The buyer's fees for a payment method, in minor units. The share of the price is rounded half up.
 *
 * @throws DomainError `VALIDATION_FAILED` naming `currency` when the schedule does not have the currency
 */
export function buyerFeesOf(basis: Omit<FeeBasis, 'sellerPlan'>, method: PaymentMethod): BuyerFees {
  const { priceMinor, currency, buyerPlan } = basis
  const schedule: FeeSchedule = FEE_SCHEDULES[basis.feeSchedule]
  const processingFeeMinor = schedule.methods[method].processingFeeMinor[currency]
  if (processingFeeMinor === undefined)
    throw new DomainError('VALIDATION_FAILED', { fields: { currency: `${currency} is not accepted yet` } })
  const platformBasisPoints = buyerBasisPoints(schedule, buyerPlan, method)
  const platformFeeMinor = shareOf(priceMinor, platformBasisPoints)
  return {
    platformFeeMinor,
    processingFeeMinor,
    buyerFeeMinor: platformFeeMinor + processingFeeMinor,
    platformBasisPoints,
  }
}

/** The seller's fee, in minor units, rounded half up. It is taken from the price at release. */
export function sellerFeeOf({ priceMinor, feeSchedule, sellerPlan }: Omit<FeeBasis, 'buyerPlan' | 'currency'>): bigint {
  return shareOf(priceMinor, FEE_SCHEDULES[feeSchedule].planBasisPoints[sellerPlan])
}
