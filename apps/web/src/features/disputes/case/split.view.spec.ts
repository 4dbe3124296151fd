import { expect, test } from '@jest/globals'
import { disputeCase } from '../../../../test/disputes.js'
import { isSameAmount, partialFault, refundFault, splitAt } from './split.view.js'

const terms = disputeCase().settlement!

test('an amount splits the hold to the cent, fees included', () => {
  expect(splitAt(terms, '40')).toEqual({ refund: '40.00', sellerNet: '59.10', fees: '7.90' })
  expect(splitAt(terms, '0')).toEqual({ refund: '0.00', sellerNet: '98.50', fees: '8.50' })
  expect(splitAt(terms, '100.00')).toEqual({ refund: '107.00', sellerNet: '0.00', fees: '0.00' })
})

test.each([
  ['', 'Enter what the buyer gets back.'],
  ['abc', 'Enter an amount such as 300.00.'],
  ['-1', 'Enter an amount such as 300.00.'],
  ['0.001', 'Enter an amount such as 300.00.'],
  ['100.01', 'Enter at most $100.00.'],
])('the amount %j cannot be settled at', (typed, fault) => {
  expect(refundFault(terms, typed)).toBe(fault)
  expect(splitAt(terms, typed)).toBeNull()
})

test('a partial refund is neither nothing nor everything', () => {
  expect(refundFault(terms, '0')).toBeUndefined()
  expect(partialFault(terms, '0')).toMatch(/more than zero/)
  expect(partialFault(terms, '100')).toMatch(/choose full refund/)
  expect(partialFault(terms, '99.99')).toBeUndefined()
})

test('the same amount is recognised however it is written', () => {
  expect(isSameAmount(terms, '30', '30.00')).toBe(true)
  expect(isSameAmount(terms, '', '30.00')).toBe(false)
  expect(isSameAmount(terms, 'x', 'x')).toBe(false)
})
