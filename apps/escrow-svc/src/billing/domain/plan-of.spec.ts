import { expect, test } from 'vitest'
import { pastDueFrom, planOf, premiumEnds, reasonOf } from './plan-of.js'

const DAY_MS = 86_400_000
const start = new Date('2026-11-01T12:00:00Z')
const after = (days: number) => new Date(start.getTime() + days * DAY_MS)
const justBefore = (days: number) => new Date(after(days).getTime() - 1)
const pastDue = { status: 'past_due', periodEndsAt: after(30), pastDueSince: start } as const
const active = { status: 'active', periodEndsAt: start, pastDueSince: null } as const
const standing = (status: 'creating' | 'incomplete' | 'active' | 'ended') => ({
  ...{ status, periodEndsAt: after(30), pastDueSince: null },
})

test('only a subscription that is paid gives Premium', () => {
  const plans = (['creating', 'incomplete', 'active', 'ended'] as const).map(status =>
    planOf(standing(status), start, 86_400),
  )
  expect(plans).toEqual(['standard', 'standard', 'premium', 'standard'])
})

test.each([
  ['a declined card', pastDue],
  ['a period of whose renewal nothing is heard', active],
])('%s leaves Premium for seven days, to the millisecond', (_, given) => {
  expect(planOf(given, after(0), 86_400)).toBe('premium')
  expect(planOf(given, justBefore(7), 86_400)).toBe('premium')
  expect(planOf(given, after(7), 86_400)).toBe('standard')
  expect(premiumEnds(given, 86_400)).toEqual(after(7))
  expect(premiumEnds(given, 60)).toEqual(new Date(start.getTime() + 7 * 60_000))
})

test('a declined card of which we learn late gives seven days from then, unless Premium has ended already', () => {
  expect(pastDueFrom(pastDue, after(3), 86_400)).toEqual(start)
  expect(pastDueFrom(active, after(6), 86_400)).toEqual(after(6))
  expect(pastDueFrom(active, after(8), 86_400)).toEqual(start)
  expect(pastDueFrom(standing('incomplete'), after(40), 86_400)).toEqual(after(40))
})

test('the reason says whether a card paid late, never, or the subscription ended', () => {
  expect(reasonOf('premium', standing('incomplete'), standing('active'))).toBe('subscribed')
  expect(reasonOf('premium', pastDue, standing('active'))).toBe('recovered')
  expect(reasonOf('premium', active, standing('active'))).toBe('recovered')
  expect(reasonOf('standard', pastDue, pastDue)).toBe('unpaid')
  expect(reasonOf('standard', active, active)).toBe('unpaid')
  expect(reasonOf('standard', pastDue, standing('ended'))).toBe('ended')
})
