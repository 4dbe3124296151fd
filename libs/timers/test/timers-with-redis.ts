import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type RedisEngine, startRedis } from '@holdfast/engines/redis'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { eventuallyPasses } from '@holdfast/testing/eventually'
import { Redis } from 'ioredis'
import { Timers } from '../src/timers.js'
import { ScratchDeadlines } from './scratch-deadlines.js'

/** The sweeper fires what is 2 s late, and looks every 5 s. The rest is for a busy machine. */
const SWEPT_WITHIN_MS = 9_000
/** With the queue a deadline fires well before the sweeper may take it. */
export const ON_TIME_MS = 1_500

const PATIENCE_MS = 40_000

/** Timers that refuse eviction, a Redis, and a database of deadlines. */
export class TimersWithRedis {
  private readonly running: Timers[] = []
  private nth = 0

  private constructor(
    readonly folder: string,
    readonly scratch: ScratchDeadlines,
    readonly engine: RedisEngine,
    /** Another client of that Redis. */
    readonly client: Redis,
  ) {}

  static async make(): Promise<TimersWithRedis> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-timers-'))
    const [scratch, engine] = await Promise.all([ScratchDeadlines.make(), startRedis(folder)])
    const client = new Redis(engine.url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
    client.on('error', () => undefined)
    return new TimersWithRedis(folder, scratch, engine, client)
  }

  async start(url = this.engine.url): Promise<Timers> {
    const redis = { url, refusesEviction: true }
    const timers = new Timers({ databaseUrl: this.scratch.roleUrl, service: 'escrow-svc', redis })
    timers.add(this.scratch.source())
    this.running.push(timers)
    await timers.start()
    return timers
  }

  /** Sets a deadline and its alarm, and answers how many milliseconds late it fired. */
  async latenessOf(timers: Timers, id: string, inMs: number): Promise<number> {
    timers.notice('deadline', id, await this.scratch.set(id, inMs))
    return this.firedOnce(id, inMs)
  }

  /** How many milliseconds late a deadline fired that is due in `inMs`. Fails when even the sweeper would have fired it. */
  async firedOnce(id: string, inMs: number): Promise<number> {
    const { fires, lateMs } = await this.scratch.firedWithin(inMs + SWEPT_WITHIN_MS, id)
    expect(fires).toBe(1)
    return lateMs ?? Number.NaN
  }

  /** Waits until alarms are set in Redis, or are not. */
  async until(usable: boolean): Promise<void> {
    await eventuallyPasses(async () => expect(await this.usable()).toBe(usable), PATIENCE_MS)
  }

  /** What the metric says. */
  async usable(): Promise<boolean> {
    const values = (await registry.getSingleMetric('timers_queue_usable')?.get())?.values
    return values?.[0]?.value === 1
  }

  /** Waits until a deadline fires sooner than the sweeper would take it. */
  async onTime(timers: Timers): Promise<void> {
    await eventuallyPasses(async () => {
      expect(await this.latenessOf(timers, `on-time-${this.nth++}`, 300)).toBeLessThan(ON_TIME_MS)
    }, PATIENCE_MS)
  }

  /** Between two tests. Redis must run. */
  async reset(): Promise<void> {
    await Promise.all(this.running.splice(0).map(timers => timers.stop()))
    await this.client.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction')
    await this.client.flushall()
    await this.scratch.admin.query('TRUNCATE deadline')
  }

  async close(): Promise<void> {
    this.client.disconnect()
    await this.engine.process.stop()
    await this.scratch.drop()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}
