import { Drain } from '../lifecycle/drain.js'
import { Health } from '../lifecycle/health.js'
import { registry } from '../telemetry/metrics.js'
import { ClockWatch } from './clock-watch.js'

const NOON = Date.UTC(2026, 0, 1, 12)

/** A process and a database whose clocks the test sets, in milliseconds after noon. */
async function watch(process: number, database: number | Error, answerTakesMs = 0) {
  const clocks = { process, database }
  const health = new Health(new Drain())
  health.started()
  const ask = async () => {
    if (clocks.database instanceof Error) throw clocks.database
    clocks.process += answerTakesMs
    return new Date(NOON + clocks.database)
  }
  const clockWatch = new ClockWatch(ask, { now: () => new Date(NOON + clocks.process) }, health)
  await clockWatch.onApplicationBootstrap()
  clockWatch.onApplicationShutdown()
  const isReady = async () => (await health.readiness(false)).ready
  return { clocks, clockWatch, isReady }
}

describe('a process whose clock differs from the database’s', () => {
  it.each([240_000, -240_000, 5_001, -5_001])('by %d ms is not ready', async ms => {
    const { isReady } = await watch(ms, 0)
    expect(await isReady()).toBe(false)
  })

  it.each([0, 4_900, -4_900])('by %d ms is ready', async ms => {
    const { isReady } = await watch(ms, 0)
    expect(await isReady()).toBe(true)
  })

  it('is ready again once the clocks agree', async () => {
    const { clocks, clockWatch, isReady } = await watch(60_000, 0)
    expect(await isReady()).toBe(false)
    clocks.process = 1_000
    await clockWatch.compare()
    expect(await isReady()).toBe(true)
  })

  it('is not taken for one because the database answers slowly, or not at all', async () => {
    expect(await (await watch(0, 100, 9_000)).isReady()).toBe(true)
    expect(await (await watch(0, new Error('connect ECONNREFUSED'))).isReady()).toBe(true)
  })

  it('stays not ready while the database cannot be asked', async () => {
    const { clocks, clockWatch, isReady } = await watch(60_000, 0)
    Object.assign(clocks, { database: new Error('connect ECONNREFUSED') })
    await clockWatch.compare()
    expect(await isReady()).toBe(false)
  })

  it('shows by how much in a metric', async () => {
    await watch(-240_000, 0)
    expect((await registry.getSingleMetric('clock_offset_seconds')!.get()).values).toMatchObject([{ value: -240 }])
  })
})
