import { deal } from '../../../test/deals.js'
import { actorName, clockWords, withoutRepeatedClocks } from './timeline.view.js'

test('people are named as the reader knows them, everybody else by their part', () => {
  expect(actorName('buyer', deal())).toBe('by you')
  expect(actorName('seller', deal())).toBe('by Ana')
  expect(actorName('carrier', deal())).toBe('by the carrier')
})

test('a change of a deadline names its end', () => {
  const dueAt = '2026-12-04T14:00:00.000Z'
  const utc = { timeZone: 'UTC' }
  expect(clockWords({ kind: 'ship_by', change: 'started', dueAt }, utc)).toBe('Time to ship: until Fri, Dec 4, 2:00 PM')
  expect(clockWords({ kind: 'inspection', change: 'paused', dueAt: null }, utc)).toBe('Time to inspect is paused.')
})

test('facts of one moment tell their clock once, newest first', () => {
  const clock = { kind: 'inspection', change: 'started', dueAt: null } as const
  const entries = [
    { id: 1, at: '1', clock: null },
    { id: 2, at: '2', clock },
    { id: 3, at: '2', clock },
  ]
  expect(withoutRepeatedClocks(entries).map(entry => [entry.id, entry.clock !== null])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ])
})
