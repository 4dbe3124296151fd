import { setTimeout as sleep } from 'node:timers/promises'
import { EndingProxy } from '../test/ending-proxy.js'
import { ScratchDeadlines } from '../test/scratch-deadlines.js'
import { timersContract } from '../test/timers-contract.js'
import { Timers } from './timers.js'

// Their role owns nothing.
timersContract('timers with a queue in PostgreSQL', async () => ({
  empty: async ({ admin }) => (await admin.query('DELETE FROM timers.job')).rowCount ?? 0,
}))

describe('timers with a queue in PostgreSQL, after lost connections,', () => {
  let scratch: ScratchDeadlines
  const running: Timers[] = []

  beforeAll(async () => {
    scratch = await ScratchDeadlines.make()
  })
  beforeEach(async () => {
    await scratch.admin.query('TRUNCATE deadline')
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map(timers => timers.stop()))
  })
  afterAll(() => scratch.drop())

  async function start(databaseUrl = scratch.roleUrl): Promise<Timers> {
    const timers = new Timers({ databaseUrl, service: 'escrow-svc' })
    timers.add(scratch.source())
    running.push(timers)
    await timers.start()
    return timers
  }

  it('go on after their connections were terminated', async () => {
    const timers = await start()
    timers.notice('deadline', 'a', await scratch.set('a', 300))
    await scratch.firedWithin(3_000, 'a')
    const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1'
    await scratch.admin.query(sql, [new URL(scratch.roleUrl).username])
    await sleep(1_000)
    timers.notice('deadline', 'b', await scratch.set('b', 300))
    expect((await scratch.firedWithin(10_000, 'b')).lateMs).toBeLessThan(1_000)
  })

  it('go on after connections that ended as soon as they were ready, before their first use', async () => {
    const proxy = await EndingProxy.before(scratch.roleUrl, 12)
    const timers = await start(proxy.via(scratch.roleUrl))
    while (proxy.ended < 12) await sleep(20)
    timers.notice('deadline', 'a', await scratch.set('a', 1_000))
    expect((await scratch.firedWithin(10_000, 'a')).lateMs).toBeLessThan(1_000)
    await timers.stop()
    await proxy.close()
  })
})
