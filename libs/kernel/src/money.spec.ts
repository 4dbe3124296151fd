import fc from 'fast-check'
import { CURRENCY_EXPONENT, type Currency, displayAmount, formatAmount, isZero, parseAmount, shareOf } from './money.js'

const currencies = fc.constantFrom(...(Object.keys(CURRENCY_EXPONENT) as Currency[]))

describe('money', () => {
  it('reads and writes amounts of every currency without losing a unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), currencies, (minor, currency) => {
        expect(parseAmount(formatAmount(minor, currency), currency)).toBe(minor)
      }),
    )
  })

  it('reads JSON numbers, and texts with fewer decimals than the currency has', () => {
    expect(parseAmount(19.99, 'USD')).toBe(1999n)
    expect(parseAmount('0.1', 'USD')).toBe(10n)
    expect(parseAmount('5', 'USD')).toBe(500n)
    expect(parseAmount('5.00', 'USD')).toBe(500n)
    expect(parseAmount('1500', 'JPY')).toBe(1500n)
  })

  it.each(['', '-1', '+1', '1e3', '0.001', 'NaN', '1,000', '1 000', ' 1', '1 ', '1\n', '.5', '5.', '0x10', '١', '１'])(
    'refuses %j',
    text => {
      expect(() => parseAmount(text, 'USD')).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }))
    },
  )

  it.each<[string, Currency]>([
    ['1.000', 'USD'],
    ['5.000', 'USD'],
    ['3.0000', 'EUR'],
    ['1500.0', 'JPY'],
    ['0.100000000', 'BTC'],
  ])('refuses %j in %s: also zeros are decimals that the currency does not have', (text, currency) => {
    expect(() => parseAmount(text, currency)).toThrow(expect.objectContaining({ code: 'AMOUNT_INVALID' }))
  })

  it('names the field of an amount that was sent', () => {
    expect(() => parseAmount('1.000', 'USD', 'price')).toThrow(
      expect.objectContaining({ details: { fields: { price: 'Must be an amount in USD, with 2 decimals at most' } } }),
    )
  })

  it('formats amounts for screens', () => {
    expect(displayAmount('1234567.5', 'USD')).toBe('$1,234,567.50')
    expect(displayAmount('12', 'EUR')).toBe('€12.00')
    expect(displayAmount('12.00', 'GBP')).toBe('£12.00')
    expect(displayAmount('0.5', 'BTC')).toBe('0.5 BTC')
    expect(displayAmount('-3.10', 'USD')).toBe('-$3.10')
  })

  it('knows zero by its digits, also where a float would lose the last of them', () => {
    for (const amount of ['0', '0.00', '0.000000000000000000']) expect(isZero(amount)).toBe(true)
    for (const amount of ['0.01', '10.00', '-0.01', `0.${'0'.repeat(400)}1`]) expect(isZero(amount)).toBe(false)
  })

  it('rounds a share half up', () => {
    expect(shareOf(3333n, 150)).toBe(50n) // 49.995
    expect(shareOf(1000n, 5)).toBe(1n) // 0.5
    expect(shareOf(999n, 5)).toBe(0n) // 0.4995
  })
})
