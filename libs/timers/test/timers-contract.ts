import { setTimeout as sleep } from 'node:timers/promises'
import type { DeadlineSource } from '../src/deadline.js'
import { Timers, type TimersOptions } from '../src/timers.js'
import { ScratchDeadlines } from './scratch-deadlines.js'

/** Where the queue is, and how a test empties it. `empty` answers how many alarms were set. */
export interface QueueUnderTest {
  readonly redis?: TimersOptions['redis']
  empty(scratch: ScratchDeadlines): Promise<number>
  close?(): Promise<void>
}

/** What timers promise wherever their queue is. */
export function timersContract(title: string, open: () => Promise<QueueUnderTest>): void {
  describe(title, () => {
    let queue: QueueUnderTest
    let scratch: ScratchDeadlines
    const running: Timers[] = []

    beforeAll(async () => {
      queue = await open()
      scratch = await ScratchDeadlines.make()
    })
    beforeEach(async () => {
      await scratch.admin.query('TRUNCATE deadline')
    })
    afterEach(async () => {
      await Promise.all(running.splice(0).map(timers => timers.stop()))
    })
    afterAll(async () => {
      await scratch.drop()
      await queue.close?.()
    })

    async function start(source: DeadlineSource = scratch.source()): Promise<Timers> {
      const timers = new Timers({ databaseUrl: scratch.roleUrl, service: 'escrow-svc', redis: queue.redis })
      timers.add(source)
      running.push(timers)
      await timers.start()
      return timers
    }

    it('fire a deadline a few seconds after `notice` on time', async () => {
      const timers = await start()
      timers.notice('deadline', 'a', await scratch.set('a', 700))
      const { fires, lateMs } = await scratch.firedWithin(3_000, 'a')
      expect(fires).toBe(1)
      expect(lateMs).toBeLessThan(300)
    })

    it('fire a deadline without `notice`, because the planner finds it', async () => {
      const timers = await start()
      await scratch.set('a', 1_000)
      await timers.plan()
      expect((await scratch.firedWithin(3_000, 'a')).lateMs).toBeLessThan(300)
    })

    it('fire at once, after a start, the deadlines that passed while the process was down', async () => {
      await scratch.set('a', -7 * 86_400_000)
      await scratch.set('b', -60_000)
      const started = Date.now()
      await start()
      await scratch.firedWithin(2_000, 'a')
      await scratch.firedWithin(2_000, 'b')
      expect(Date.now() - started).toBeLessThan(2_000)
    })

    it('lose no deadline when the queue is emptied', async () => {
      const timers = await start()
      timers.notice('deadline', 'a', await scratch.set('a', 3_000))
      let emptied = 0
      // How soon the alarm is set depends on the machine.
      while (emptied === 0) {
        await sleep(20)
        emptied = await queue.empty(scratch)
      }
      expect(emptied).toBe(1)
      const { lateMs } = await scratch.firedWithin(15_000, 'a')
      // The alarm is lost: the sweeper takes what is two seconds late, and looks every five.
      expect(lateMs).toBeGreaterThanOrEqual(2_000)
      expect(lateMs).toBeLessThan(8_000)
    })

    it('fire each deadline once, although two processes notice, plan and sweep it', async () => {
      const both = [await start(), await start()]
      // Many, so that each process fires some. All alarms must be set before the first is due: one that is set later fires once more.
      const ids = Array.from({ length: 20 }, (_, nth) => `row-${nth}`)
      const dueAt = new Map(await Promise.all(ids.map(async id => [id, await scratch.set(id, 2_000)] as const)))
      for (const timers of both) {
        for (const id of [...ids, ...ids]) timers.notice('deadline', id, dueAt.get(id)!)
        await timers.plan()
      }
      for (const id of ids) await scratch.firedWithin(5_000, id)
      await sleep(2_500)
      await Promise.all(both.map(timers => timers.sweep()))
      const rows = await Promise.all(ids.map(id => scratch.row(id)))
      expect(rows.map(({ fires }) => fires)).toEqual(ids.map(() => 1))
    })

    it('fire a deadline with a changed time only at its new time', async () => {
      const timers = await start()
      timers.notice('deadline', 'a', await scratch.set('a', 300))
      timers.notice('deadline', 'a', await scratch.set('a', 1_500))
      await sleep(1_000)
      expect((await scratch.row('a')).fires).toBe(0)
      const { fires, lateMs } = await scratch.firedWithin(3_000, 'a')
      expect(fires).toBe(1)
      expect(lateMs).toBeLessThan(300)
    })

    it('try a failed deadline again, and fire others meanwhile', async () => {
      let attempts = 0
      await start(
        scratch.source(id => {
          if (id === 'bad' && ++attempts < 2) throw new Error('not now')
        }),
      )
      await scratch.set('bad', -60_000)
      await scratch.set('good', -50_000)
      await scratch.firedWithin(8_000, 'good')
      await scratch.firedWithin(30_000, 'bad')
      expect(attempts).toBe(2)
    })

    it('wait before they try a deadline again that stays due, and fire later ones meanwhile', async () => {
      const calls = new Map<string, number>()
      const source = scratch.source(id => void calls.set(id, (calls.get(id) ?? 0) + 1))
      const stays = {
        ...source,
        fire: async (id: string, dueAt: Date) => (id === 'last' ? source.fire(id, dueAt) : stay(id)),
      }
      const stay = (id: string): void => void calls.set(id, (calls.get(id) ?? 0) + 1)
      const insert = `INSERT INTO deadline (id, due_at) SELECT 'stays-' || n, now() - interval '1 hour' FROM generate_series(1, 450) n`
      await scratch.admin.query(insert)
      await scratch.set('last', -10_000)
      await start(stays)
      await scratch.firedWithin(4_000, 'last')
      expect(calls.size).toBe(451)
      expect([...calls.values()].every(count => count === 1)).toBe(true)
    })

    it('finish the running deadline before they stop, and fire none afterwards', async () => {
      let release: () => void = () => undefined
      const gate = new Promise<void>(resolve => {
        release = resolve
      })
      const source = scratch.source()
      let begun = 0
      const timers = await start({
        ...source,
        fire: async (id, dueAt) => {
          begun++
          await gate
          await source.fire(id, dueAt)
        },
      })
      timers.notice('deadline', 'a', await scratch.set('a', 100))
      while (begun === 0) await sleep(10)
      await scratch.set('b', -10_000)
      const stopped = timers.stop()
      await sleep(100)
      release()
      await stopped
      expect((await scratch.row('a')).fires).toBe(1)
      expect((await scratch.row('b')).fires).toBe(0)
    })

    it('are on time for a thousand deadlines within ten seconds', async () => {
      const timers = await start()
      for (let nth = 0; nth < 1_000; nth++) {
        const dueAt = new Date(Date.now() + 2_000 + Math.floor(nth * 8))
        await scratch.admin.query('INSERT INTO deadline (id, due_at) VALUES ($1, $2)', [`many-${nth}`, dueAt])
        timers.notice('deadline', `many-${nth}`, dueAt)
      }
      const sql = `SELECT count(*) FILTER (WHERE fired_at IS NULL)::int AS waiting, max(fires) AS most,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM fired_at - due_at) * 1000) AS p50,
      percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM fired_at - due_at) * 1000) AS p99 FROM deadline`
      type Row = { waiting: number; most: number; p50: number; p99: number }
      let row: Row
      do {
        await sleep(500)
        row = (await scratch.admin.query<Row>(sql)).rows[0]!
      } while (row.waiting > 0)
      process.stdout.write(`lateness of 1,000 timers: p50 ${row.p50.toFixed(0)} ms, p99 ${row.p99.toFixed(0)} ms\n`)
      expect(row.most).toBe(1)
      expect(row.p50).toBeLessThan(500)
    })
  })
}
