import { transaction } from '../../../test/transactions.js'
import { afterWithdrawal } from './withdraw-dialog.js'

const DUE_AT = '2026-12-01T12:00:00.000Z'
const DUE = Date.parse(DUE_AT)
const inspection = { kind: 'inspection', dueAt: DUE_AT, outcome: 'released' } as const

test('a withdrawal says that the time of the other side goes on with what was left', () => {
  expect(afterWithdrawal(transaction({ status: 'disputed', clock: null }), DUE)).toContain('the time that was left')
})

test('a withdrawal says when the own time ends, which the dispute has not moved', () => {
  const words = afterWithdrawal(
    transaction({ status: 'disputed', clock: null, clockAfterDispute: inspection }),
    DUE - 1,
  )
  expect(words).toMatch(/has not moved the end of the inspection period: on .*Dec 1.* the money is released to Ana\.$/)
})

test('a withdrawal after the own time has passed says that it takes effect at once', () => {
  const words = afterWithdrawal(transaction({ status: 'disputed', clock: null, clockAfterDispute: inspection }), DUE)
  expect(words).toMatch(/When you withdraw it, the money is released to Ana at once\.$/)
})

test('a withdrawal says that the time to ship goes on', () => {
  const clock = { kind: 'ship_by', dueAt: DUE_AT, outcome: 'refunded' } as const
  expect(afterWithdrawal(transaction({ status: 'disputed', clock }), DUE - 1)).toContain('the money goes back to Ben')
})
