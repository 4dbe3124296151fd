import { CURRENT_FEE_SCHEDULE, FEE_SCHEDULES, PREMIUM_MONTHLY_MINOR } from '@holdfast/kernel/fees'
import { formatAmount, shareOf } from '@holdfast/kernel/money'

/** The examples of the calculator, in dollars of monthly sales. */
export const EXAMPLE_SALES = [1_000, 3_000, 5_000] as const
/** From here on Premium pays for itself. */
export const BREAK_EVEN_SALES = 6_000
const MAX_SALES = 10_000_000

/** Whole dollars, with or without a comma before each three digits; null for anything else, such as a comma before cents. */
export function readDollars(text: string): number | null {
  const amount = text.trim()
  const digits = /^\d{1,3}(,\d{3})+$/.test(amount) ? amount.replaceAll(',', '') : amount
  return /^\d{1,8}$/.test(digits) ? Math.min(Number(digits), MAX_SALES) : null
}

interface Savings {
  /** Decimal dollars. */
  readonly standardFee: string
  readonly premiumCost: string
  /** What Premium saves a month; below zero it costs more than it saves. */
  readonly saved: string
  readonly pays: boolean
}

/** What a seller pays a month on each plan, for whole dollars of sales. */
export function savingsOf(monthlySales: number): Savings {
  const sales = BigInt(Math.min(Math.max(0, Math.trunc(monthlySales)), MAX_SALES)) * 100n
  const { planBasisPoints } = FEE_SCHEDULES[CURRENT_FEE_SCHEDULE]
  const standard = shareOf(sales, planBasisPoints.standard)
  const premium = shareOf(sales, planBasisPoints.premium) + PREMIUM_MONTHLY_MINOR
  return {
    standardFee: formatAmount(standard, 'USD'),
    premiumCost: formatAmount(premium, 'USD'),
    saved: formatAmount(standard - premium, 'USD'),
    pays: standard >= premium,
  }
}
