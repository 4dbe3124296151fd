import { DEAL_STATUSES, type DealStatus } from '@holdfast/kernel/deals'
import { progressOf } from './progress.view.js'

const AT = '2026-11-30T14:00:00.000Z'

const progress = (...reached: readonly DealStatus[]) =>
  progressOf({
    status: reached.at(-1) ?? 'pending',
    createdAt: AT,
    reached: reached.map(status => ({ status, at: AT })),
  })
const states = (...reached: readonly DealStatus[]) =>
  progress(...reached)
    .steps.map(step => step.state)
    .join(' ')

describe('the six steps of a deal', () => {
  test.each([
    [['pending'], 'complete current ahead ahead ahead ahead'],
    [['pending', 'paid'], 'complete complete current ahead ahead ahead'],
    [['pending', 'paid', 'shipped'], 'complete complete complete current ahead ahead'],
    [['pending', 'paid', 'shipped', 'delivered', 'inspection'], 'complete complete complete complete current ahead'],
    [
      ['pending', 'paid', 'shipped', 'delivered', 'inspection', 'released', 'completed'],
      'complete complete complete complete complete complete',
    ],
  ] as const)('after %j they stand %s', (reached, expected) => {
    expect(states(...reached)).toBe(expected)
  })

  test('a hand-over counts as shipped only when the item has arrived', () => {
    expect(states('pending', 'paid', 'in_progress')).toBe('complete complete current ahead ahead ahead')
    expect(states('pending', 'paid', 'in_progress', 'delivered', 'inspection')).toBe(
      'complete complete complete complete current ahead',
    )
  })

  test('what was never shipped has no time of shipping', () => {
    const times = (...reached: readonly DealStatus[]) => progress(...reached).steps.map(step => step.at)
    expect(times('pending', 'paid', 'in_progress', 'inspection')).toEqual([AT, AT, null, AT, null, null])
    expect(times('pending', 'paid', 'shipped', 'delivered')).toEqual([AT, AT, AT, AT, null, null])
    expect(times('pending', 'paid', 'shipped', 'released', 'completed')).toEqual([AT, AT, AT, AT, AT, AT])
  })

  test('what a dispute has completed without a delivery has no time of delivery and inspection', () => {
    const { steps } = progress('pending', 'paid', 'shipped', 'disputed', 'released', 'completed')
    expect(steps.map(step => step.at)).toEqual([AT, AT, AT, null, null, AT])
  })

  test('a step once reached stays complete in a dispute and after a refund', () => {
    expect(states('pending', 'paid', 'shipped', 'disputed')).toBe('complete complete complete ahead ahead ahead')
    expect(states('pending', 'paid', 'cancelled')).toBe('complete complete ahead ahead ahead ahead')
  })

  test('released counts as completed', () => {
    expect(progress('pending', 'paid', 'delivered', 'released').percent).toBe(100)
  })

  test('the bar is as wide as the share of completed steps', () => {
    expect(progress('pending')).toMatchObject({ completed: 1, percent: 17 })
    expect(progress('pending', 'paid', 'shipped')).toMatchObject({ completed: 3, percent: 50 })
  })

  test.each(DEAL_STATUSES)('%s has at most one current step, and it follows the complete ones', status => {
    const seen = progress('pending', status).steps.map(step => step.state)
    expect(seen.filter(state => state === 'current').length).toBeLessThanOrEqual(1)
    expect(seen.lastIndexOf('complete')).toBe(seen.filter(state => state === 'complete').length - 1)
  })
})
