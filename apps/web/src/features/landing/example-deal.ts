import type { MoneyLineView } from '../deal/shared/money-line/money-line.view.js'

/** A chair for $1,240.00: the buyer pays 2 % and 5.00 on top, the seller gives 1.5 %. */
const PAID = '1269.80'
const RECEIVED = '1221.40'

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
    text: 'Ben pays. The money is held for this one transaction: Ana can see it, and nobody can touch it.',
    view: { ...people, marks: [{ at: 'hold', amount: PAID, tone: 'held' }] },
  },
  {
    title: 'Safe Delivery',
    text: 'Ana ships. The chair travels; the money does not. When it arrives, Ben has days to look it over.',
    view: { ...people, marks: [{ at: 'hold', amount: PAID, tone: 'held' }] },
  },
  {
    title: 'Confirm & Release',
    text: 'Ben accepts, or his time to inspect ends without a dispute. Ana is paid her price, less her fee.',
    view: { ...people, marks: [{ at: 'seller', amount: RECEIVED, tone: 'arrived' }] },
  },
]
