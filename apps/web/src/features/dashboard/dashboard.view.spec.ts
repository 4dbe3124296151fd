import { byAttention, latest, type Row } from './dashboard.view.js'

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

  test('a dispute in which it is the viewer’s turn comes first, by its own time limit', () => {
    const others = row({ status: 'disputed', turn: null })
    const mine = row({ status: 'disputed', turn: null })
    const later = row({ status: 'inspection', turn: 'buyer', clock: due('2026-12-04T00:00:00.000Z') })
    const turns = new Map([
      [others.id, { waitsFor: 'mediator', dueAt: '2026-12-01T00:00:00.000Z' }],
      [mine.id, { waitsFor: 'you', dueAt: '2026-12-02T00:00:00.000Z' }],
    ] as const)
    expect(ids(byAttention([others, later, mine], turns))).toEqual(ids([mine, later, others]))
  })

  test('a payment that is being confirmed does not count as the viewer’s turn', () => {
    const confirming = row({ status: 'pending', turn: 'buyer', paymentProcessing: true })
    const newer = row()
    expect(ids(byAttention([confirming, newer]))).toEqual(ids([newer, confirming]))
  })
})

test('the previous transactions are the latest five that were completed', () => {
  const rows = Array.from({ length: 7 }, () => row({ status: 'completed' }))
  expect(ids(latest(rows))).toEqual(ids(rows.slice(-5)).reverse())
})

test.each([0, 1, 4, 5])('%d previous transactions are all shown', count => {
  const rows = Array.from({ length: count }, () => row({ status: 'completed' }))
  expect(latest(rows)).toHaveLength(count)
})
