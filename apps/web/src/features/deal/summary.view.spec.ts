import { deal } from '../../../test/deals.js'
import { summaryOf } from './summary.view.js'

const UNPAID = { held: '0.00', released: '0.00', refunded: '0.00', chargedBack: '0.00' }
const HELD = { ...UNPAID, held: '107.00' }
const RELEASED = { ...UNPAID, released: '98.50' }
const lines = (viewerRole: 'buyer' | 'seller', money: typeof UNPAID) =>
  summaryOf(deal({ viewerRole, money: { ...deal().money, ...money } })).map(line => `${line.label} ${line.amount}`)

test('the buyer sees what they pay, the seller what they receive', () => {
  expect(lines('buyer', UNPAID)).toEqual(['Amount 100.00', "Buyer's fees 7.00", 'You pay 107.00'])
  expect(lines('seller', UNPAID)).toEqual(['Amount 100.00', "Seller's fee -1.50", 'You receive 98.50'])
})

test('what has happened is in the past tense', () => {
  expect(lines('buyer', HELD).at(-1)).toBe('You paid 107.00')
  expect(lines('seller', HELD).at(-1)).toBe('You receive 98.50')
  expect(lines('seller', RELEASED).at(-1)).toBe('You received 98.50')
})

test('a deal whose money went back promises the seller nothing', () => {
  const refunded = { ...UNPAID, refunded: '107.00' }
  expect(lines('seller', refunded)).toEqual(['Amount 100.00', 'The buyer paid 107.00', 'Goes back to the buyer 107.00'])
  expect(lines('buyer', refunded)).toEqual([
    'Amount 100.00',
    "Buyer's fees 7.00",
    'You paid 107.00',
    'Goes back to you 107.00',
  ])
})

test('a partial refund shows every part of what was paid, to the cent', () => {
  const divided = { ...UNPAID, released: '59.10', refunded: '40.01' }
  expect(lines('seller', divided)).toEqual([
    'Amount 100.00',
    'The buyer paid 107.00',
    'Goes back to the buyer 40.01',
    'You received 59.10',
    'Holdfast’s fees 7.89',
  ])
  expect(lines('buyer', divided)).toEqual([
    'Amount 100.00',
    "Buyer's fees 7.00",
    'You paid 107.00',
    'Goes back to you 40.01',
    'Released to the seller 59.10',
    'Holdfast’s fees 7.89',
  ])
})

test('a buyer reads that their own bank took the payment back', () => {
  const chargedBack = { ...UNPAID, chargedBack: '107.00' }
  expect(lines('buyer', chargedBack).at(-1)).toBe('Taken back by your bank 107.00')
  expect(lines('seller', chargedBack).at(-1)).toBe('Taken back by the buyer’s bank 107.00')
})
