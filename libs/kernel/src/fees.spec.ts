import { buyerFeesOf, CURRENT_FEE_SCHEDULE, type FeeBasis, quoteLabel, sellerFeeOf } from './fees.js'
import { MAX_PRICE_MINOR } from './money.js'

const basis = (changes: Partial<FeeBasis> = {}): FeeBasis => ({
  priceMinor: 12_000n,
  currency: 'USD',
  feeSchedule: CURRENT_FEE_SCHEDULE,
  buyerPlan: 'standard',
  sellerPlan: 'standard',
  ...changes,
})

describe('fees', () => {
  it('are 2 % and 5.00 for a Standard buyer who pays by card', () => {
    expect(buyerFeesOf(basis(), 'card')).toEqual({
      platformFeeMinor: 240n,
      processingFeeMinor: 500n,
      buyerFeeMinor: 740n,
      platformBasisPoints: 200,
    })
  })

  it('are 1.5 % for a Standard buyer who pays by bank or crypto', () => {
    const expected = { platformFeeMinor: 180n, processingFeeMinor: 0n, buyerFeeMinor: 180n, platformBasisPoints: 150 }
    expect(buyerFeesOf(basis(), 'bank')).toEqual(expected)
    expect(buyerFeesOf(basis(), 'crypto')).toEqual(expected)
  })

  it('are half a per cent less for a Premium buyer, whichever way they pay', () => {
    expect(buyerFeesOf(basis({ buyerPlan: 'premium' }), 'card')).toMatchObject({
      platformFeeMinor: 180n,
      buyerFeeMinor: 680n,
    })
    expect(buyerFeesOf(basis({ buyerPlan: 'premium' }), 'bank').buyerFeeMinor).toBe(120n)
  })

  it('are 1.5 % for a Standard seller and 1 % for a Premium one', () => {
    expect(sellerFeeOf(basis())).toBe(180n)
    expect(sellerFeeOf(basis({ sellerPlan: 'premium' }))).toBe(120n)
  })

  it('round half up to the cent', () => {
    expect(sellerFeeOf(basis({ priceMinor: 33n }))).toBe(0n)
    expect(sellerFeeOf(basis({ priceMinor: 100n }))).toBe(2n)
  })

  it('keep a card payment of the highest price below Stripe’s limit', () => {
    const { buyerFeeMinor } = buyerFeesOf(basis({ priceMinor: MAX_PRICE_MINOR }), 'card')
    expect(MAX_PRICE_MINOR + buyerFeeMinor).toBeLessThanOrEqual(99_999_999n)
  })

  it('are refused in a currency that the schedule does not have', () => {
    const act = () => buyerFeesOf(basis({ currency: 'JPY' }), 'card')
    expect(act).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('are labelled with the buyer’s share', () => {
    expect(quoteLabel('platform_fee', 200)).toBe('Platform Fee (2%)')
    expect(quoteLabel('platform_fee', 150)).toBe('Platform Fee (1.5%)')
  })
})
