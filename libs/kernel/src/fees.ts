/**
 * What a deal costs its parties (spec section 9; ADR 17). Each side pays the fee of their plan. A buyer who pays by card
 * also pays a surcharge. So a Standard buyer pays 1.5 % by bank or crypto, and 2 % plus 5.00 by card.
 */
import { DomainError } from './errors.js'
import { type Currency, shareOf } from './money.js'
import type { PaymentMethod } from './payments.js'
import type { Plan } from './users.js'

/** Shares are basis points of the price (1 bp = 0.01 %), flat parts are minor units. */
export interface FeeSchedule {
  /** What each side pays by its plan. */
  readonly planBasisPoints: Record<Plan, number>
  /** The buyer's surcharge for each way to pay. A currency that is missing is not accepted. */
  readonly methods: Record<
    PaymentMethod,
    { readonly basisPoints: number; readonly processingFeeMinor: Partial<Record<Currency, bigint>> }
  >
}

/** Every schedule, old ones included: a deal keeps the schedule under which it was opened. */
export const FEE_SCHEDULES = {
  '2026-11': {
    planBasisPoints: { standard: 150, premium: 100 },
    methods: {
      card: { basisPoints: 50, processingFeeMinor: { USD: 500n } },
      bank: { basisPoints: 0, processingFeeMinor: { USD: 0n } },
      crypto: { basisPoints: 0, processingFeeMinor: { USD: 0n } },
    },
  },
} as const satisfies Record<string, FeeSchedule>
export type FeeScheduleVersion = keyof typeof FEE_SCHEDULES

/** The schedule for new deals. */
export const CURRENT_FEE_SCHEDULE: FeeScheduleVersion = '2026-11'

/** The buyer's share for a plan and a way to pay, in basis points of the price. */
export const buyerBasisPoints = (schedule: FeeSchedule, plan: Plan, method: PaymentMethod): number =>
  schedule.planBasisPoints[plan] + schedule.methods[method].basisPoints

/**
 * The facts from which the fees of a deal are computed. The schedule and both plans are frozen when the deal opens. The
 * buyer's fees also depend on the payment method, which the buyer chooses later.
 */
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

/** Basis points as a percentage: 150 is `1.5%`. */
export const formatBasisPoints = (basisPoints: number): string => `${basisPoints / 100}%`

/** The lines of a quote. */
export const QUOTE_LINES = ['purchase_amount', 'platform_fee', 'processing_fee'] as const
export type QuoteLine = (typeof QUOTE_LINES)[number]

/** The line's label on the payment page. The platform fee names the buyer's share, as in `Platform Fee (2%)`. */
export function quoteLabel(line: QuoteLine, platformBasisPoints: number): string {
  switch (line) {
    case 'purchase_amount':
      return 'Purchase Amount'
    case 'platform_fee':
      return `Platform Fee (${formatBasisPoints(platformBasisPoints)})`
    case 'processing_fee':
      return 'Processing Fee'
  }
}

/** What Premium costs, in cents: 30 dollars billed monthly, or 20 dollars a month billed yearly (spec section 9). */
export const PREMIUM_MONTHLY_MINOR = 3_000n
export const PREMIUM_YEARLY_MINOR = 24_000n
