import { expect, test } from '@jest/globals'
import { DIALOG_STATUSES, eligible, WIZARD_STATUSES } from './eligible.js'

const deals = [
  { id: 1, status: 'paid' },
  { id: 2, status: 'shipped' },
  { id: 3, status: 'secured' },
  { id: 4, status: 'inspection' },
  { id: 5, status: 'completed' },
] as const
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

test('the dialog and the wizard each offer the statuses they name, and both the inspection', () => {
  expect(ids(eligible(deals, [], DIALOG_STATUSES))).toEqual([2, 3, 4])
  expect(ids(eligible(deals, [], WIZARD_STATUSES))).toEqual([1, 2, 4])
})

test('a deal in a running dispute is not offered again, one whose dispute was closed is', () => {
  expect(ids(eligible(deals, [{ transactionId: 2, status: 'open' }], DIALOG_STATUSES))).toEqual([3, 4])
  expect(ids(eligible(deals, [{ transactionId: 2, status: 'closed' }], DIALOG_STATUSES))).toEqual([2, 3, 4])
})
