import { setTimeout as sleep } from 'node:timers/promises'
import { ScratchDeadlines } from '../test/scratch-deadlines.js'
import type { DeadlineSource } from './deadline.js'
import { Timers } from './timers.js'

/** A source whose deadlines are all due a minute ago and stay due. `fire` is the test's. */
function overdueSource(name: string, ids: readonly string[], fire: (id: string) => Promise<void>): DeadlineSource {
  const dueAt = new Date(Date.now() - 60_000)
  return { name, upcoming: async aheadMs => (aheadMs < 0 ? ids.map(id => ({ id, dueAt })) : []), fire }
}
/** Work that hangs until the test ends. */
const hanging: (() => void)[] = []
const hang = (): Promise<void> => new Promise(resolve => hanging.push(resolve))
const ids = (count: number) => Array.from({ length: count }, (_, n) => `row-${n}`)

describe('a source of deadlines', () => {
  let scratch: ScratchDeadlines
  const running: Timers[] = []

  beforeAll(async () => {
    scratch = await ScratchDeadlines.make()
  })
  beforeEach(async () => {
    await scratch.admin.query('TRUNCATE deadline')
  })
  afterEach(async () => {
    for (const resolve of hanging.splice(0)) resolve()
    await Promise.all(running.splice(0).map(timers => timers.stop()))
  })
  afterAll(() => scratch.drop())

  function start(...sources: readonly DeadlineSource[]): Timers {
    const timers = new Timers({ databaseUrl: scratch.roleUrl, service: 'escrow-svc' })
    for (const source of sources) timers.add(source)
    timers.start()
    running.push(timers)
    return timers
  }
  async function until(isTrue: () => boolean, ms = 10_000): Promise<void> {
    const end = Date.now() + ms
    while (!isTrue()) {
      if (Date.now() > end) throw new Error(`not true after ${ms} ms`)
      await sleep(20)
    }
  }
  /** How late a deadline of the table fired, in milliseconds. */
  async function latenessOf(id: string): Promise<number> {
    const end = Date.now() + 20_000
    for (;;) {
      const { fires, lateMs } = await scratch.row(id)
      if (fires > 0) return lateMs ?? 0
      if (Date.now() > end) throw new Error(`${id} did not fire`)
      await sleep(20)
    }
  }

  it('that never returns delays no deadline of another source, neither in the sweeper nor in the queue', async () => {
    let stuck = 0
    const stuckSource = overdueSource('hanging', ids(60), () => {
      stuck++
      return hang()
    })
    const timers = start(stuckSource, scratch.source())
    await until(() => stuck > 0)
    for (const id of ids(20)) timers.notice('hanging', `queued-${id}`, new Date(Date.now() + 100))
    await sleep(500)
    timers.notice('deadline', 'noticed', await scratch.set('noticed', 1_500))
    await scratch.set('swept', -3_000)
    expect(await latenessOf('noticed')).toBeLessThan(1_000)
    expect(await latenessOf('swept')).toBeLessThan(3_000 + 7_000)
  })

  it('whose list never comes delays no deadline of another source', async () => {
    const timers = start({ name: 'mute', upcoming: () => hang().then(() => []), fire: hang }, scratch.source())
    timers.notice('deadline', 'noticed', await scratch.set('noticed', 500))
    await scratch.set('swept', -3_000)
    expect(await latenessOf('noticed')).toBeLessThan(1_000)
    await latenessOf('swept')
  })

  it('goes on with its other deadlines when one takes longer than its budget, and does not fire that one twice', async () => {
    const calls = new Map<string, number>()
    start({
      ...overdueSource('slow', ['slow', 'next', 'last'], id => {
        calls.set(id, (calls.get(id) ?? 0) + 1)
        return id === 'slow' ? hang() : Promise.resolve()
      }),
      atOnce: 1,
      budgetMs: 200,
    })
    await until(() => calls.size === 3)
    await sleep(12_000)
    expect(calls.get('slow')).toBe(1)
    expect(calls.get('next')).toBeGreaterThan(1)
  })

  it('starts no further firing while too many have not returned', async () => {
    let stuck = 0
    const count = () => {
      stuck++
      return hang()
    }
    const timers = start({ ...overdueSource('hanging', ids(100), count), atOnce: 2, budgetMs: 20 })
    await until(() => stuck === 8)
    await timers.sweep()
    expect(stuck).toBe(8)
  })

  it('is asked by each of two replicas with pauses of their own: a failing deadline is tried at most twice as often', async () => {
    const attempts: number[] = []
    const started = Date.now()
    const failing = () =>
      overdueSource('failing', ['bad'], async () => {
        attempts.push(Date.now() - started)
        throw new Error('not now')
      })
    start(failing())
    start(failing())
    await sleep(13_000)
    // One replica tries at once, after 5 seconds, and after 10 more.
    expect(attempts.length).toBeGreaterThanOrEqual(2)
    expect(attempts.length).toBeLessThanOrEqual(4)
  })

  it.each([
    ['back', -3_600_000],
    ['ahead', 3_600_000],
  ])('fires on time, and tries again on time, when the clock of the process is set %s by an hour', async (_, ms) => {
    let attempts = 0
    start(
      overdueSource('failing', ['bad'], async () => {
        attempts++
        throw new Error('not now')
      }),
      scratch.source(),
    )
    await until(() => attempts === 1)
    await scratch.set('later', 2_000)
    const { now } = Date
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + ms)
    try {
      await sleep(1_500)
      expect((await scratch.row('later')).fires).toBe(0)
      await sleep(11_000)
    } finally {
      clock.mockRestore()
    }
    expect((await scratch.row('later')).lateMs).toBeLessThan(8_500)
    expect(attempts).toBeGreaterThanOrEqual(2)
  })
})
