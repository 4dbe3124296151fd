import {
  moneyBackOf,
  type PaidInvoice,
  pastDueFrom,
  planOf,
  premiumEnds,
  reasonOf as reasonFor,
  type Standing,
  staysWithPayer,
} from './plan-of.js'

const DAY_MS = 86_400_000
const start = new Date('2026-11-01T12:00:00Z')
const after = (days: number) => new Date(start.getTime() + days * DAY_MS)
const justBefore = (days: number) => new Date(after(days).getTime() - 1)
const pastDue = { status: 'past_due', periodEndsAt: after(30), pastDueSince: start, moneyBack: null } as const
const active = { status: 'active', periodEndsAt: start, pastDueSince: null, moneyBack: null } as const
const standing = (status: 'creating' | 'incomplete' | 'active' | 'ended') => ({
  ...{ status, periodEndsAt: after(30), pastDueSince: null, moneyBack: null },
})

const reasonOf = (
  plan: 'premium' | 'standard',
  before: Standing,
  after: Standing,
  cancelReason: 'suspension' | 'chargeback' | null = null,
) => reasonFor(plan, before, { ...after, cancelReason })

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

test('the reason names a refund, a chargeback and a suspension', () => {
  expect(reasonOf('standard', active, { ...active, moneyBack: 'refund' })).toBe('refunded')
  expect(reasonOf('standard', active, { ...standing('ended'), moneyBack: 'chargeback' }, 'chargeback')).toBe(
    'charged_back',
  )
  expect(reasonOf('standard', active, standing('ended'), 'suspension')).toBe('suspended')
  expect(reasonOf('standard', active, standing('ended'), 'chargeback')).toBe('ended')
  expect(reasonOf('premium', { ...active, moneyBack: 'chargeback' }, active)).toBe('recovered')
})

test('a period whose money is with its payer gives no Premium, and no days after a declined card', () => {
  for (const given of [pastDue, active]) {
    expect(planOf({ ...given, moneyBack: 'refund' }, start, 86_400)).toBe('standard')
    expect(premiumEnds({ ...given, moneyBack: 'chargeback' }, 86_400)).toBeNull()
  }
})

test('a period is paid until all of it is refunded, or a bank takes back any of it', () => {
  const paid: PaidInvoice = { amountMinor: 3_000n, refundedMinor: 0n, chargedBackMinor: 0n, isChargebackLost: false }
  expect(moneyBackOf(paid)).toBeNull()
  expect(moneyBackOf({ ...paid, refundedMinor: 2_999n })).toBeNull()
  expect(moneyBackOf({ ...paid, refundedMinor: 3_000n })).toBe('refund')
  expect(moneyBackOf({ ...paid, chargedBackMinor: 1n })).toBe('chargeback')
  expect(moneyBackOf({ ...paid, amountMinor: 0n })).toBeNull()
  expect(staysWithPayer({ ...paid, refundedMinor: 3_000n })).toBe(true)
  expect(staysWithPayer({ ...paid, chargedBackMinor: 3_000n })).toBe(false)
  expect(staysWithPayer({ ...paid, chargedBackMinor: 3_000n, isChargebackLost: true })).toBe(true)
  // The bank had decided for the payer, and then for us.
  expect(staysWithPayer({ ...paid, isChargebackLost: true })).toBe(false)
})
