import { faultsOfBooks, faultsOfDeals, watchDeadlines } from './verdict.js'

const AT_ONCE = { withinMs: 0, againAfterMs: 0 }

/**
 * What is said of three bought deals. `entries` and `notifications` have how many deals have how many rows, of each look or of all of them.
 *
 * @param {{ entries?: number[][] | number[][][], notifications?: number[][] | number[][][], late?: number, ids?: number[] }} world
 */
async function saidOf({ entries = [[1, 3]], notifications = [[2, 3]], late = 0, ids = [1, 2, 3] }, patience = AT_ONCE) {
  const rows = counts => counts.map(([n, deals]) => ({ n, deals }))
  const looks = { entries: 0, notifications: 0 }
  const next = (name, counts) => {
    const look = looks[name]++
    return rows(Array.isArray(counts[0]?.[0]) ? (counts[look] ?? counts.at(-1)) : counts)
  }
  const query = async statement => {
    if (typeof statement === 'string') return { rows: [{ late }] }
    if (ids.length === 0) return { rows: [] }
    const isEntries = statement.text.includes('journal_entry')
    return { rows: isEntries ? next('entries', entries) : next('notifications', notifications) }
  }
  return faultsOfDeals({ query }, { bought: { entry: 'charge', ids } }, patience)
}

it('deals that each have one entry and the same notifications are right', async () => {
  expect(await saidOf({})).toEqual([])
})

it.each([
  ['no command succeeded', { ids: [] }, 'bought: no command succeeded'],
  [
    'an entry is missing',
    {
      entries: [
        [0, 1],
        [1, 2],
      ],
    },
    'bought: 1 deals have 0 journal entries "charge" instead of one',
  ],
  [
    'an entry was made twice',
    {
      entries: [
        [1, 2],
        [2, 1],
      ],
    },
    'bought: 1 deals have 2 journal entries "charge" instead of one',
  ],
  [
    'a notification came twice',
    {
      notifications: [
        [2, 2],
        [3, 1],
      ],
    },
    'bought: 2 deals have 2 notifications, 1 deals have 3 notifications',
  ],
  ['no deal has a notification', { notifications: [[0, 3]] }, 'bought: 3 deals have 0 notifications'],
  ['a deadline did not end', { late: 2 }, '2 deals are more than 90 s past their deadline'],
])('it is said that %s', async (_, world, fault) => {
  expect(await saidOf(world)).toEqual([fault])
})

it('an effect that comes twice after the first look is seen', async () => {
  const notifications = [
    [[2, 3]],
    [
      [2, 2],
      [3, 1],
    ],
  ]
  expect(await saidOf({ notifications })).toEqual([
    'bought: 2 deals have 2 notifications, 1 deals have 3 notifications',
  ])
})

it('the longest time past a deadline is kept, also when a look fails and when the deal has ended since', async () => {
  const looks = [3, null, 120, 0]
  const over = new AbortController()
  const query = async () => {
    const seconds = looks.shift()
    if (looks.length === 0) over.abort()
    if (seconds === null) throw new Error('the database is away')
    return { rows: [{ seconds }] }
  }
  expect(await watchDeadlines({ query }, over.signal, 1)).toBe(120)
})

it('books are not right when the program that checks them could not run', async () => {
  const ended = { child: {}, exited: Promise.resolve({ code: null, signal: 'SIGKILL', error: null }) }
  expect(await faultsOfBooks({ closing: false, spawn: () => ended }, 'postgres://')).toEqual(['The books are wrong:'])
})
