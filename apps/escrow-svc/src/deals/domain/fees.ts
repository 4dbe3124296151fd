/**
 * What a deal costs its parties. Schedule and plans are frozen when the deal opens; the buyer's part also depends on how
 * they pay, which is known when a payment is asked for.
 */
import { DomainError } from '@holdfast/kernel/errors'
import { buyerBasisPoints, FEE_SCHEDULES, type FeeSchedule, type FeeScheduleVersion } from '@holdfast/kernel/fees'
import { type Currency, shareOf } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import type { Plan } from '@holdfast/kernel/users'

/** What the fees of a deal are computed from. */
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
  /** Both together: what the buyer pays beyond the price. */
  readonly buyerFeeMinor: bigint
  /** The platform fee's share of the price, which its label names. */
  readonly platformBasisPoints: number
}

/**
 * The buyer's fees for a way to pay, in minor units. The share is rounded half up, once, here.
 *
 * @throws DomainError `VALIDATION_FAILED` naming `currency` when the schedule has none for it
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

/** What is taken from the price at release, in minor units; rounded half up. */
export function sellerFeeOf({ priceMinor, feeSchedule, sellerPlan }: Omit<FeeBasis, 'buyerPlan' | 'currency'>): bigint {
  return shareOf(priceMinor, FEE_SCHEDULES[feeSchedule].planBasisPoints[sellerPlan])
}
