import { describe, expect, test } from '@jest/globals'
import { active, byAttention, ofRole, PREVIOUS_SHOWN, previous, type Row } from './dashboard.view.js'

let lastId = 0
const row = (change: Partial<Row> = {}): Row => ({
  id: ++lastId,
  status: 'paid',
  viewerRole: 'buyer',
  turn: 'seller',
  clock: null,
  updatedAt: `2026-11-30T14:00:00.${String(lastId).padStart(3, '0')}Z`,
  paymentProcessing: false,
  ...change,
})
const due = (dueAt: string): Row['clock'] => ({ kind: 'payment_window', dueAt, outcome: 'cancelled' })
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)

describe('the order of rows', () => {
  test('mine come first by deadline, then the running ones, then what is over', () => {
    const over = row({ status: 'completed', turn: null })
    const theirs = row()
    const later = row({ status: 'pending', turn: 'buyer', clock: due('2026-12-04T00:00:00.000Z') })
    const sooner = row({ status: 'inspection', turn: 'buyer', clock: due('2026-12-02T00:00:00.000Z') })
    const newerTheirs = row()
    expect(ids(byAttention([over, theirs, later, sooner, newerTheirs]))).toEqual(
      ids([sooner, later, newerTheirs, theirs, over]),
    )
  })

  test('a payment that is being confirmed waits for nobody', () => {
    const confirming = row({ status: 'pending', turn: 'buyer', paymentProcessing: true })
    const newer = row()
    expect(ids(byAttention([confirming, newer]))).toEqual(ids([newer, confirming]))
  })
})

test('a deal in dispute is active, a finished or cancelled one is not', () => {
  const rows = [row({ status: 'disputed' }), row({ status: 'cancelled' }), row({ status: 'released' })]
  expect(active(rows).map(({ status }) => status)).toEqual(['disputed'])
})

test('the previous transactions are the latest five that were completed', () => {
  const rows = Array.from({ length: 7 }, () => row({ status: 'completed' }))
  expect(ids(previous([row({ status: 'cancelled' }), ...rows]))).toEqual(ids(rows.slice(-PREVIOUS_SHOWN)).reverse())
})

test('each side has its own tab', () => {
  const sale = row({ viewerRole: 'seller' })
  expect(ids(ofRole([row(), sale], 'seller'))).toEqual([sale.id])
})
