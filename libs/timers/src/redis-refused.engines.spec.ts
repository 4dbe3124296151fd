import path from 'node:path'
import { startRedis } from '@holdfast/engines/redis'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { eventuallyPasses } from '@holdfast/testing/eventually'
import { Redis } from 'ioredis'
import { startApplication } from '../test/application.js'
import { MutingProxy } from '../test/muting-proxy.js'
import { ON_TIME_MS, TimersWithRedis } from '../test/timers-with-redis.js'
import { Timers } from './timers.js'

describe('timers whose Redis', () => {
  let its: TimersWithRedis
  beforeAll(async () => {
    its = await TimersWithRedis.make()
  })
  afterEach(() => its.reset())
  afterAll(() => its.close())

  it('falls silent on every connection are on time again, over new ones', async () => {
    const proxy = await MutingProxy.before(its.engine.url)
    const timers = await its.start(proxy.url)
    await its.until(true)
    await its.onTime(timers)
    proxy.mute()
    expect(await its.latenessOf(timers, 'meanwhile', 100)).toBeGreaterThan(ON_TIME_MS)
    await its.onTime(timers)
    await timers.stop()
    await proxy.close()
  })

  it('may evict keys do not start in production, and say why; elsewhere they use it', async () => {
    await its.client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const config = { DATABASE_URL: its.scratch.roleUrl, REDIS_URL: its.engine.url }
    await expect(startApplication({ ...config, NODE_ENV: 'production' }, its.scratch.source())).rejects.toThrow(
      'REDIS_URL leads to a Redis that may evict keys (maxmemory-policy allkeys-lru): set it to noeviction',
    )
    const app = await startApplication({ ...config, NODE_ENV: 'development' }, its.scratch.source())
    expect((await app.get(Health).readiness(false)).body.checks).toEqual({ redis: 'ok' })
    expect(await its.latenessOf(app.get(Timers), 'a', 300)).toBeLessThan(ON_TIME_MS)
    await app.close()
  })

  it('may evict keys, and was away when they started, set no alarm in it until that has been corrected', async () => {
    const evicting = await startRedis(path.join(its.folder, 'evicting'), 'volatile-lru')
    await evicting.process.stop()
    const timers = await its.start(evicting.url)
    await evicting.process.start()
    const admin = new Redis(evicting.url)
    await eventuallyPasses(async () => expect(await admin.client('LIST')).toMatch(/cmd=info/), 10_000)
    expect(await its.latenessOf(timers, 'refused', 300)).toBeGreaterThan(ON_TIME_MS)
    expect(await admin.keys('*refused*')).toEqual([])
    expect(await its.usable()).toBe(false)
    await admin.config('SET', 'maxmemory-policy', 'noeviction')
    await its.until(true)
    expect(await its.latenessOf(timers, 'taken', 300)).toBeLessThan(ON_TIME_MS)
    await timers.stop()
    admin.disconnect()
    await evicting.process.stop()
  })
})
