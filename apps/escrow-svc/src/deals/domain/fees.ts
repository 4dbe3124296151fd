/** What a deal costs its parties: computed once when it opens, then frozen with it. */
import { DomainError } from '@holdfast/kernel/errors'
import { FEE_SCHEDULES, type FeeSchedule, type FeeScheduleVersion } from '@holdfast/kernel/fees'
import { type Currency, shareOf } from '@holdfast/kernel/money'
import type { Plan } from '@holdfast/kernel/users'

export interface Fees {
  readonly platformFeeMinor: bigint
  readonly processingFeeMinor: bigint
  /** Both of the buyer's fees together: the total less the price. */
  readonly buyerFeeMinor: bigint
  readonly sellerFeeMinor: bigint
}

/**
 * The fees of a price under a schedule and the parties' plans. Each share is rounded half up, once, here.
 *
 * @throws DomainError `VALIDATION_FAILED` naming `currency` when the schedule has none for it
 */
export function feesOf(
  priceMinor: bigint,
  currency: Currency,
  version: FeeScheduleVersion,
  plans: { readonly buyer: Plan; readonly seller: Plan },
): Fees {
  const schedule: FeeSchedule = FEE_SCHEDULES[version]
  const flat = schedule.currencies[currency]
  if (!flat) throw new DomainError('VALIDATION_FAILED', { fields: { currency: `${currency} is not accepted yet` } })
  const platformFeeMinor = shareOf(priceMinor, schedule.buyerBasisPoints[plans.buyer])
  return {
    platformFeeMinor,
    processingFeeMinor: flat.buyerProcessingFeeMinor,
    buyerFeeMinor: platformFeeMinor + flat.buyerProcessingFeeMinor,
    sellerFeeMinor: shareOf(priceMinor, schedule.sellerBasisPoints[plans.seller]),
  }
}
