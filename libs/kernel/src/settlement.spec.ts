import fc from 'fast-check'
import { refundFault, type SettlementBasis, splitHold } from './settlement.js'

/** A price of 100.00 that was paid with fees of 7.00. */
const BASIS: SettlementBasis = {
  currency: 'USD',
  feeSchedule: '2026-11',
  sellerPlan: 'standard',
  holdMinor: 10_700n,
  buyerFeeMinor: 700n,
}

describe('the split of a hold', () => {
  it('gives the buyer everything back, fees included, when all of the price goes back', () => {
    expect(splitHold(BASIS, 10_000n)).toEqual({ refundMinor: 10_700n, sellerNetMinor: 0n, feesMinor: 0n })
  })

  it('releases the hold as agreed when nothing goes back', () => {
    expect(splitHold(BASIS, 0n)).toEqual({ refundMinor: 0n, sellerNetMinor: 9_850n, feesMinor: 850n })
  })

  it('takes the fee of the seller from the part that the seller gets', () => {
    // 1.5 % of 66.67 is 1.00005, rounded to 1.00.
    expect(splitHold(BASIS, 3_333n)).toEqual({ refundMinor: 3_333n, sellerNetMinor: 6_567n, feesMinor: 800n })
  })

  it('refuses more than the price that is still held, and less than nothing', () => {
    expect(() => splitHold(BASIS, 10_001n)).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }))
    expect(() => splitHold(BASIS, -1n)).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }))
  })

  it('sums to the hold for every hold and every amount, and no part is negative', () => {
    const cents = fc.bigInt(0n, 98_000_000n)
    fc.assert(
      fc.property(cents, cents, cents, (holdMinor, buyerFeeMinor, wanted) => {
        const basis = { ...BASIS, holdMinor, buyerFeeMinor }
        const held = holdMinor > buyerFeeMinor ? holdMinor - buyerFeeMinor : 0n
        const parts = splitHold(basis, held === 0n ? 0n : wanted % (held + 1n))
        expect(parts.refundMinor + parts.sellerNetMinor + parts.feesMinor).toBe(holdMinor)
        expect(Object.values(parts).every((part: bigint) => part >= 0n)).toBe(true)
      }),
    )
  })
})

describe('an amount that a person enters', () => {
  const FORM = 'Enter an amount of digits, with a point before the cents, such as 12.50.'
  const settlement: [string, string | undefined][] = [
    ['0', undefined],
    ['0.00', undefined],
    ['100.00', undefined],
    ['12.5', undefined],
    [' 10 ', `${FORM} It must be from $0.00 to $100.00.`],
    ['', 'Enter an amount from $0.00 to $100.00.'],
    ['-5', 'Enter an amount from $0.00 to $100.00.'],
    ['100.01', 'This is more than the price that is held. Enter an amount from $0.00 to $100.00.'],
    ['12,5', `${FORM} It must be from $0.00 to $100.00.`],
    ['1e3', `${FORM} It must be from $0.00 to $100.00.`],
    ['ten', `${FORM} It must be from $0.00 to $100.00.`],
    ['10.100', 'Enter an amount with at most 2 digits after the point. It must be from $0.00 to $100.00.'],
    ['10.001', 'Enter an amount with at most 2 digits after the point. It must be from $0.00 to $100.00.'],
  ]
  it.each(settlement)('of “%s” for a settlement is right, or answered with its limits', (entered, fault) => {
    expect(refundFault(BASIS, entered, 'settlement')).toBe(fault)
  })

  const LIMITS = 'more than $0.00 and less than $100.00'
  const partial: [string, string | undefined][] = [
    ['0.01', undefined],
    ['99.99', undefined],
    ['', `Enter an amount of ${LIMITS}.`],
    ['0', `Enter an amount of ${LIMITS}. When nothing goes back, choose seller favor.`],
    ['100', `Enter an amount of ${LIMITS}. When all of it goes back, choose full refund.`],
    ['101', `This is more than the price that is held. Enter an amount of ${LIMITS}.`],
    ['12,5', `${FORM} It must be ${LIMITS}.`],
  ]
  it.each(partial)('of “%s” for a partial refund is right, or answered with its limits', (entered, fault) => {
    expect(refundFault(BASIS, entered, 'partial_refund')).toBe(fault)
  })
})
