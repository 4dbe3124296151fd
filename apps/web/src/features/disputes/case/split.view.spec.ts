import { disputeCase } from '../../../../test/disputes.js'
import { splitAt } from './split.view.js'
import { partialFault, settlementFault, typedAmount } from './typed-refund.js'

const terms = disputeCase().settlement!

test('an amount splits the hold to the cent, fees included', () => {
  expect(splitAt(terms, '40')).toEqual({ refund: '40.00', sellerNet: '59.10', fees: '7.90' })
  expect(splitAt(terms, '0')).toEqual({ refund: '0.00', sellerNet: '98.50', fees: '8.50' })
  expect(splitAt(terms, '100.00')).toEqual({ refund: '107.00', sellerNet: '0.00', fees: '0.00' })
})

const FORM = 'Write the amount like 3,000.00: with the digits 0 to 9 and at most 2 decimals.'
test.each([
  ['abc', FORM],
  ['1e3', FORM],
  ['0.001', FORM],
  ['12,5', 'If you mean $12.50, write 12.50.'],
  ['1.000', 'This can be read as $1.00 or as $1,000.00. Write 1.00 or 1,000.00.'],
])('the amount %j is not read', (typed, words) => {
  expect(settlementFault(terms, typed)).toBe(words)
  expect(partialFault(terms, typed)).toBe(words)
})

test.each(['', '-1', '100.01'])('the amount %j cannot be settled at', typed => {
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
  for (const typed of ['30', '30.0', ' $30.00 ']) expect(typedAmount(terms, typed)).toBe('30.00')
  for (const typed of ['', 'x', '30.000', '30,00']) expect(typedAmount(terms, typed)).toBeUndefined()
})
