import { expect, test } from '@jest/globals'
import { planOf, premiumUntil, reasonOf } from './plan-of.js'

const DAY_MS = 86_400_000
const declinedAt = new Date('2026-11-01T12:00:00Z')
const after = (days: number) => new Date(declinedAt.getTime() + days * DAY_MS)
const pastDue = { status: 'past_due', pastDueSince: declinedAt } as const
const standing = (status: 'creating' | 'incomplete' | 'active' | 'ended') => ({ status, pastDueSince: null })

test('only a subscription that is paid gives Premium', () => {
  const plans = (['creating', 'incomplete', 'active', 'ended'] as const).map(status =>
    planOf(standing(status), declinedAt, 86_400),
  )
  expect(plans).toEqual(['standard', 'standard', 'premium', 'standard'])
})

test('a declined card leaves Premium for seven days, to the millisecond', () => {
  expect(planOf(pastDue, after(0), 86_400)).toBe('premium')
  expect(planOf(pastDue, new Date(after(7).getTime() - 1), 86_400)).toBe('premium')
  expect(planOf(pastDue, after(7), 86_400)).toBe('standard')
  expect(premiumUntil(pastDue, 86_400)).toEqual(after(7))
  expect(premiumUntil(pastDue, 60)).toEqual(new Date(declinedAt.getTime() + 7 * 60_000))
})

test('the reason says whether a card paid late, never, or the subscription ended', () => {
  expect(reasonOf('premium', standing('incomplete'), standing('active'))).toBe('subscribed')
  expect(reasonOf('premium', pastDue, standing('active'))).toBe('recovered')
  expect(reasonOf('standard', pastDue, pastDue)).toBe('unpaid')
  expect(reasonOf('standard', pastDue, standing('ended'))).toBe('ended')
})
