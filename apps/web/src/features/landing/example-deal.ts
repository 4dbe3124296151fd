import { buyerBasisPoints, CURRENT_FEE_SCHEDULE, FEE_SCHEDULES } from '@holdfast/kernel/fees'
import { formatAmount, shareOf } from '@holdfast/kernel/money'
import type { MoneyLineView } from '../deal/shared/money-line/money-line.types.js'

const SCHEDULE = FEE_SCHEDULES[CURRENT_FEE_SCHEDULE]
const PRICE_MINOR = 124_000n
const BUYER_FEE_MINOR =
  shareOf(PRICE_MINOR, buyerBasisPoints(SCHEDULE, 'standard', 'card')) + SCHEDULE.methods.card.processingFeeMinor.USD
const SELLER_FEE_MINOR = shareOf(PRICE_MINOR, SCHEDULE.planBasisPoints.standard)

/** A chair that is paid by card, both sides on the Standard plan. */
export const PRICE = formatAmount(PRICE_MINOR, 'USD')
export const PAID = formatAmount(PRICE_MINOR + BUYER_FEE_MINOR, 'USD')
export const RECEIVED = formatAmount(PRICE_MINOR - SELLER_FEE_MINOR, 'USD')

interface ExampleStep {
  readonly title: string
  readonly text: string
  readonly view: Pick<MoneyLineView, 'buyerName' | 'sellerName' | 'currency' | 'marks'>
}

const people = { buyerName: 'Ben', sellerName: 'Ana', currency: 'USD' } as const

/** One sale in the spec's four steps, and where its money is in each. */
export const EXAMPLE_STEPS: readonly ExampleStep[] = [
  {
    title: 'Create Listing',
    text: 'Ana describes the chair and names her price. Inspection time and returns are agreed before any money moves.',
    view: { ...people, marks: [{ at: 'buyer', amount: PAID, tone: 'due' }] },
  },
  {
    title: 'Secure Purchase',
    text: 'Ben pays. The money is held for this one transaction: Ana sees that it is there, and neither of them can spend it.',
    view: { ...people, marks: [{ at: 'hold', amount: PAID, tone: 'held' }] },
  },
  {
    title: 'Safe Delivery',
    text: 'Ana ships. The money stays held. When the chair arrives, Ben has the agreed days to inspect it.',
    view: { ...people, marks: [{ at: 'hold', amount: PAID, tone: 'held' }] },
  },
  {
    title: 'Confirm & Release',
    text: 'Ben accepts, or his time to inspect ends without a dispute. Ana is paid her price, less her fee.',
    view: { ...people, marks: [{ at: 'seller', amount: RECEIVED, tone: 'arrived' }] },
  },
]
