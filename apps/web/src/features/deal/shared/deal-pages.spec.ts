import { PAST_STATUSES, RUNNING_STATUSES } from './deal-pages.js'

test('a deal in dispute is running, a finished or cancelled one is not', () => {
  expect(RUNNING_STATUSES).toContain('disputed')
  expect(RUNNING_STATUSES).not.toContain('cancelled')
  expect(RUNNING_STATUSES).not.toContain('released')
  expect(PAST_STATUSES).toEqual(['released', 'completed', 'cancelled'])
})
