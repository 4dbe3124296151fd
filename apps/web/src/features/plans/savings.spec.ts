import { BREAK_EVEN_SALES, EXAMPLE_SALES, savingsOf } from './savings.js'

test('Premium pays for itself from the stated break-even on, and not before', () => {
  expect(savingsOf(BREAK_EVEN_SALES)).toMatchObject({ saved: '0.00', pays: true })
  expect(savingsOf(BREAK_EVEN_SALES - 10).pays).toBe(false)
})

test('the examples come out to the cent', () => {
  expect(savingsOf(1_000)).toEqual({ standardFee: '15.00', premiumCost: '40.00', saved: '-25.00', pays: false })
  expect(savingsOf(3_000)).toMatchObject({ standardFee: '45.00', premiumCost: '60.00', saved: '-15.00', pays: false })
  expect(savingsOf(5_000)).toMatchObject({ standardFee: '75.00', premiumCost: '80.00', saved: '-5.00' })
  expect(savingsOf(10_000)).toMatchObject({ saved: '20.00', pays: true })
  expect(savingsOf('10000.40')).toMatchObject({ standardFee: '150.01', saved: '20.01' })
})

test('the examples and the break-even are the figures of the spec', () => {
  expect(EXAMPLE_SALES).toEqual([1_000, 3_000, 5_000])
  expect(BREAK_EVEN_SALES).toBe(6_000)
})
