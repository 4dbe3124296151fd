import { CURRENT_FEE_SCHEDULE, FEE_SCHEDULES, PREMIUM_MONTHLY_MINOR } from '@holdfast/kernel/fees'
import { formatAmount, parseAmount, shareOf } from '@holdfast/kernel/money'

/** The examples of the calculator, in dollars of monthly sales. */
export const EXAMPLE_SALES = [1_000, 3_000, 5_000] as const
/** From here on Premium pays for itself. */
export const BREAK_EVEN_SALES = 6_000
const MAX_SALES_MINOR = 10_000_000_00n

interface Savings {
  /** Decimal dollars. */
  readonly standardFee: string
  readonly premiumCost: string
  /** What Premium saves a month; below zero it costs more than it saves. */
  readonly saved: string
  readonly pays: boolean
}

/** What a seller pays a month on each plan, for decimal dollars of sales. Above ten millions they are computed for ten millions. */
export function savingsOf(monthlySales: string | number): Savings {
  const minor = parseAmount(monthlySales, 'USD')
  const sales = minor < MAX_SALES_MINOR ? minor : MAX_SALES_MINOR
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
