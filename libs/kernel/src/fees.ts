import type { Currency } from './money.js'
import type { Plan } from './users.js'

/** What the buyer and the seller pay for a deal. Shares are basis points of the price, flat parts are minor units. */
export interface FeeSchedule {
  readonly version: string
  readonly currencies: Partial<Record<Currency, { readonly buyerProcessingFeeMinor: bigint }>>
  readonly buyerBasisPoints: Record<Plan, number>
  readonly sellerBasisPoints: Record<Plan, number>
}

/**
 * The spec states two fees for the buyer and both stand: 2 % plus 5.00 on the send-funds page, 1.5 % (Premium 1.0 %)
 * in the pricing texts. Each reading is a schedule; a deal keeps the one it was opened under.
 */
export const FEE_SCHEDULES = {
  'send-funds-2026': {
    version: 'send-funds-2026',
    currencies: { USD: { buyerProcessingFeeMinor: 500n } },
    buyerBasisPoints: { standard: 200, premium: 200 },
    sellerBasisPoints: { standard: 150, premium: 100 },
  },
  'pricing-2026': {
    version: 'pricing-2026',
    currencies: { USD: { buyerProcessingFeeMinor: 0n } },
    buyerBasisPoints: { standard: 150, premium: 100 },
    sellerBasisPoints: { standard: 150, premium: 100 },
  },
} as const satisfies Record<string, FeeSchedule>

export type FeeScheduleVersion = keyof typeof FEE_SCHEDULES
export const DEFAULT_FEE_SCHEDULE: FeeScheduleVersion = 'send-funds-2026'

/** The lines of a quote, as the payment page words them. */
export const QUOTE_LINE_LABELS = {
  purchase_amount: 'Purchase Amount',
  platform_fee: 'Platform Fee (2%)',
  processing_fee: 'Processing Fee',
} as const
