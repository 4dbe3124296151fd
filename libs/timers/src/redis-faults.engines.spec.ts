import { setTimeout as sleep } from 'node:timers/promises'
import { ON_TIME_MS, TimersWithRedis } from '../test/timers-with-redis.js'

describe('timers whose Redis', () => {
  let its: TimersWithRedis
  beforeAll(async () => {
    its = await TimersWithRedis.make()
  })
  afterEach(() => its.reset())
  afterAll(() => its.close())

  it('is killed and starts again fire each deadline once, and are on time again', async () => {
    const timers = await its.start()
    await its.until(true)
    timers.notice('deadline', 'before', await its.scratch.set('before', 1_500))
    await its.engine.process.kill()
    await its.until(false)
    const meanwhile = its.latenessOf(timers, 'meanwhile', 500)
    await its.firedOnce('before', 1_500)
    expect(await meanwhile).toBeGreaterThan(ON_TIME_MS)
    await its.engine.process.start()
    await its.until(true)
    await its.onTime(timers)
  })

  it('is paused make no command wait, fire each deadline once, and are on time again', async () => {
    const timers = await its.start()
    await its.until(true)
    its.engine.process.pause()
    try {
      const dueAt = await its.scratch.set('meanwhile', 500)
      const begun = performance.now()
      for (let nth = 0; nth < 5_000; nth++) timers.notice('deadline', nth === 0 ? 'meanwhile' : `other-${nth}`, dueAt)
      expect(performance.now() - begun).toBeLessThan(500)
      expect(await its.firedOnce('meanwhile', 500)).toBeGreaterThan(ON_TIME_MS)
      await its.until(false)
    } finally {
      its.engine.process.resume()
    }
    await its.until(true)
    await its.onTime(timers)
  })

  it('is paused stop at once', async () => {
    const timers = await its.start()
    await its.until(true)
    its.engine.process.pause()
    try {
      timers.notice('deadline', 'a', await its.scratch.set('a', 60_000))
      await sleep(100)
      const begun = performance.now()
      await timers.stop()
      expect(performance.now() - begun).toBeLessThan(3_000)
    } finally {
      its.engine.process.resume()
    }
  })

  it('is away when they start fire their deadlines, use it when it comes, and stop at once when it has gone', async () => {
    await its.engine.process.stop()
    const begun = performance.now()
    const timers = await its.start()
    expect(performance.now() - begun).toBeLessThan(3_000)
    expect(await its.usable()).toBe(false)
    expect(await its.latenessOf(timers, 'meanwhile', 100)).toBeGreaterThan(ON_TIME_MS)
    await its.engine.process.start()
    await its.until(true)
    await its.onTime(timers)
    await its.engine.process.kill()
    await its.until(false)
    const stopping = performance.now()
    await timers.stop()
    expect(performance.now() - stopping).toBeLessThan(3_000)
    await its.engine.process.start()
  })

  it('is full fire each deadline once, and are on time again', async () => {
    const timers = await its.start()
    await its.until(true)
    await its.client.config('SET', 'maxmemory', '1')
    expect(await its.latenessOf(timers, 'meanwhile', 100)).toBeGreaterThan(ON_TIME_MS)
    await its.client.config('SET', 'maxmemory', '0')
    await its.onTime(timers)
  })

  it('becomes a replica, to which nothing can be written, are on time again after its promotion', async () => {
    const timers = await its.start()
    await its.until(true)
    await its.client.replicaof('127.0.0.1', 1)
    expect(await its.latenessOf(timers, 'meanwhile', 100)).toBeGreaterThan(ON_TIME_MS)
    await its.client.replicaof('NO', 'ONE')
    await its.onTime(timers)
  })
})
