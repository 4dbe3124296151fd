import { DEFAULT_FEE_SCHEDULE } from '@holdfast/kernel/fees'
import { MAX_PRICE_MINOR } from '@holdfast/kernel/money'
import { describe, expect, it } from '@jest/globals'
import { feesOf } from './fees.js'

const standard = { buyer: 'standard', seller: 'standard' } as const

describe('fees', () => {
  it('are 2 % and 5.00 for the buyer, 1.5 % for the seller, on the send-funds reading', () => {
    expect(feesOf(12_000n, 'USD', 'send-funds-2026', standard)).toEqual({
      platformFeeMinor: 240n,
      processingFeeMinor: 500n,
      buyerFeeMinor: 740n,
      sellerFeeMinor: 180n,
    })
  })

  it('are 1.5 % each on the pricing reading, 1.0 % on Premium', () => {
    const fees = feesOf(10_000n, 'USD', 'pricing-2026', { buyer: 'premium', seller: 'standard' })
    expect(fees).toMatchObject({ buyerFeeMinor: 100n, sellerFeeMinor: 150n })
  })

  it('leave the highest price within one card payment', () => {
    const { buyerFeeMinor } = feesOf(MAX_PRICE_MINOR, 'USD', DEFAULT_FEE_SCHEDULE, standard)
    expect(MAX_PRICE_MINOR + buyerFeeMinor).toBeLessThanOrEqual(99_999_999n)
  })

  it('refuse a currency that the schedule does not have', () => {
    const act = () => feesOf(10_000n, 'JPY', 'send-funds-2026', standard)
    expect(act).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})
