import { expect, test } from 'vitest'
import { disputeCase } from '../../../../test/disputes.js'
import { isSameAmount, partialFault, settlementFault, splitAt } from './split.view.js'

const terms = disputeCase().settlement!

test('an amount splits the hold to the cent, fees included', () => {
  expect(splitAt(terms, '40')).toEqual({ refund: '40.00', sellerNet: '59.10', fees: '7.90' })
  expect(splitAt(terms, '0')).toEqual({ refund: '0.00', sellerNet: '98.50', fees: '8.50' })
  expect(splitAt(terms, '100.00')).toEqual({ refund: '107.00', sellerNet: '0.00', fees: '0.00' })
})

test.each(['', 'abc', '-1', '12,5', '1e3', '0.001', '100.01'])('the amount %j cannot be settled at', typed => {
  expect(settlementFault(terms, typed)).toContain('from $0.00 to $100.00')
  expect(splitAt(terms, typed)).toBeNull()
})

test('a partial refund is neither nothing nor everything', () => {
  expect(settlementFault(terms, '0')).toBeUndefined()
  expect(partialFault(terms, '0')).toMatch(/choose seller favor/)
  expect(partialFault(terms, '100')).toMatch(/choose full refund/)
  expect(partialFault(terms, '99.99')).toBeUndefined()
})

test('the same amount is recognised however it is written', () => {
  expect(isSameAmount(terms, '30', '30.00')).toBe(true)
  expect(isSameAmount(terms, '', '30.00')).toBe(false)
  expect(isSameAmount(terms, 'x', 'x')).toBe(false)
})
