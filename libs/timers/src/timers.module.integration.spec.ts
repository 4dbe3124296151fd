import { setTimeout as sleep } from 'node:timers/promises'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { startApplication } from '../test/application.js'
import { ScratchDeadlines } from '../test/scratch-deadlines.js'
import { Timers } from './timers.js'

const NODE_ENV = 'production'

describe('the timers module', () => {
  let scratch: ScratchDeadlines
  beforeAll(async () => {
    scratch = await ScratchDeadlines.make()
  })
  beforeEach(async () => {
    await scratch.admin.query('TRUNCATE deadline')
  })
  afterAll(() => scratch.drop())

  it('runs its sources from the start of the application to its end', async () => {
    await scratch.set('a', -1_000_000)
    const app = await startApplication({ NODE_ENV, DATABASE_URL: scratch.roleUrl }, scratch.source())
    await scratch.firedWithin(3_000, 'a')
    expect((await app.get(Health).readiness(true)).body).toEqual({ status: 'ok', checks: {} })
    await app.close()
    const role = new URL(scratch.roleUrl).username
    // PostgreSQL lists a closed connection for a moment longer.
    const open = () => scratch.admin.query('SELECT 1 FROM pg_stat_activity WHERE usename = $1', [role])
    const gone = Date.now() + 3_000
    while ((await open()).rowCount !== 0 && Date.now() < gone) await sleep(20)
    expect((await open()).rowCount).toBe(0)
  })

  it('starts, is ready and names Redis, while Redis is away', async () => {
    const config = { NODE_ENV, DATABASE_URL: scratch.roleUrl, REDIS_URL: 'redis://127.0.0.1:1' }
    await scratch.set('a', -1_000_000)
    const app = await startApplication(config, scratch.source())
    await scratch.firedWithin(3_000, 'a')
    expect(await app.get(Health).readiness(false)).toEqual({
      ready: true,
      body: { status: 'ok', checks: { redis: 'failed' } },
    })
    await app.close()
  })

  it('connects to nothing when there is no source', async () => {
    const timers = new Timers({ service: 'escrow-svc', databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
    await timers.start()
    timers.notice('deadline', 'a', new Date())
    await timers.stop()
  })
})
