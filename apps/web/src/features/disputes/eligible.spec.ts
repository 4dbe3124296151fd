import { DIALOG_STATUSES, notInDispute, WIZARD_STATUSES } from './eligible.js'

const deals = [{ id: 2 }, { id: 3 }, { id: 4 }]
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

test('the dialog and the wizard each ask for the statuses they name, and both for the inspection', () => {
  expect(DIALOG_STATUSES).toEqual(['in_progress', 'shipped', 'inspection'])
  expect(WIZARD_STATUSES).toEqual(['paid', 'shipped', 'delivered', 'inspection'])
})

test('a deal in a running dispute is not offered again, one whose dispute was closed is', () => {
  expect(ids(notInDispute(deals, [{ transactionId: 2, status: 'open' }]))).toEqual([3, 4])
  expect(ids(notInDispute(deals, [{ transactionId: 2, status: 'closed' }]))).toEqual([2, 3, 4])
})
