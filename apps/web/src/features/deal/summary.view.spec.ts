import { expect, test } from '@jest/globals'
import { deal } from '../../../test/deals.js'
import { summaryOf } from './summary.view.js'

const at = '2026-11-30T14:00:00.000Z'
const lines = (
  viewerRole: 'buyer' | 'seller',
  ...reached: readonly ('pending' | 'paid' | 'completed' | 'cancelled')[]
) => summaryOf({ ...deal({ viewerRole }), reached: reached.map(status => ({ status, at })) })

test('the buyer sees what they pay, the seller what they receive', () => {
  expect(lines('buyer', 'pending').map(line => `${line.label} ${line.amount}`)).toEqual([
    'Amount 100.00',
    "Buyer's fees 7.00",
    'You pay 107.00',
  ])
  expect(lines('seller', 'pending').map(line => `${line.label} ${line.amount}`)).toEqual([
    'Amount 100.00',
    "Seller's fee -1.50",
    'You receive 98.50',
  ])
})

test('what has happened is told as past', () => {
  expect(lines('buyer', 'pending', 'paid').at(-1)?.label).toBe('You paid')
  expect(lines('seller', 'pending', 'paid').at(-1)?.label).toBe('You receive')
  expect(lines('seller', 'pending', 'paid', 'completed').at(-1)?.label).toBe('You received')
})

test('a deal whose money went back promises the seller nothing', () => {
  const refunded = (viewerRole: 'buyer' | 'seller') =>
    summaryOf({
      ...deal({ viewerRole, money: { ...deal().money, held: '0.00', refunded: '107.00' } }),
      reached: (['pending', 'paid', 'cancelled'] as const).map(status => ({ status, at })),
    }).map(line => `${line.label} ${line.amount}`)
  expect(refunded('seller')).toEqual(['Amount 100.00', 'The buyer paid 107.00', 'Goes back to the buyer 107.00'])
  expect(refunded('buyer')).toEqual([
    'Amount 100.00',
    "Buyer's fees 7.00",
    'You paid 107.00',
    'Goes back to you 107.00',
  ])
})
