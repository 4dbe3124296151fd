import { readAmount, readPrice } from './price.js'
import { readCursor, writeCursor } from './price-cursor.js'

describe('a price', () => {
  it.each([
    ['0.01', 1n],
    ['12', 1200n],
    ['980000', 98_000_000n],
  ])('of %s is %s cents', (price, minor) => {
    expect(readPrice(price)).toBe(minor)
  })

  it.each(['0', '0.00', '0.001', '1.000', '3.0000', ' 5', '-1', '', 'x', '980000.01'])(
    'of %j is refused, and the refusal names the field',
    price => {
      expect(() => readPrice(price)).toThrow(
        expect.objectContaining({ code: 'AMOUNT_INVALID', details: { fields: { price: expect.any(String) } } }),
      )
    },
  )

  it('as a limit of a search may be 0 or above the highest price', () => {
    expect([readAmount('minPrice', '0'), readAmount('maxPrice', '99999999999')]).toEqual([0n, 9_999_999_999_900n])
  })
})

describe('a cursor', () => {
  it('is the same after writing and reading it', () => {
    const cursor = { priceMinor: 100_000_000_000n, id: Number.MAX_SAFE_INTEGER }
    expect(readCursor(writeCursor(cursor))).toEqual(cursor)
  })

  it.each(['', 'x', '{}', '1.0', '-1.5', '1.99999999999999999', '1.5;'])('of %j is refused', text => {
    expect(readCursor(Buffer.from(text).toString('base64url'))).toBeNull()
  })
})
