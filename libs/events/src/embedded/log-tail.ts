import { setTimeout as sleep } from 'node:timers/promises'
import type { Topic } from '@holdfast/contracts/events'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type pg from 'pg'
import { eventOf, type LogRow } from '../consumer/log-event.js'
import type { TailOptions } from '../transport.js'
import { isWorthLogging, PAUSE_MS, pauseAfterBatch, reconnectDelay, Wakeup } from '../wakeup.js'
import { POLL_MS } from './log-listener.js'
import { HEADS, READ_ON } from './log-statements.js'

const EVENTS_PER_PARTITION = 100

interface Cursor {
  readonly topic: Topic
  readonly partition: number
  next: string
}

/** Reads all new events of the log for this process. After an outage of the database it continues after the last one. */
export class LogTail {
  private readonly logger = loggerOf('events-tail')
  private readonly wakeup = new Wakeup()
  private cursors: Cursor[] = []
  private running: Promise<void> | undefined
  private stopping = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly options: TailOptions,
  ) {}

  /** Resolves when the start position is read: every event that is published later will be delivered. */
  async start(): Promise<void> {
    this.cursors = (await this.pool.query<Cursor>(HEADS, [this.options.topics])).rows
    this.running = this.run()
  }

  wake(): void {
    this.wakeup.wake()
  }

  async close(): Promise<void> {
    this.stopping = true
    this.wakeup.wake()
    await this.running
  }

  private async run(): Promise<void> {
    let failures = 0
    while (!this.stopping) {
      try {
        const pauseMs = await this.readOn()
        failures = 0
        if (pauseMs === null) await this.wakeup.sleep(POLL_MS)
        else await sleep(pauseMs)
      } catch (error) {
        if (isWorthLogging(failures)) this.logger.warn({ err: error }, 'the log could not be read; trying again')
        await sleep(reconnectDelay(failures++))
      }
    }
  }

  /** @returns how long to pause before the next read, in milliseconds; null when there was no event */
  private async readOn(): Promise<number | null> {
    const { cursors } = this
    const starts = cursors.map(cursor => cursor.next)
    const values = [
      cursors.map(cursor => cursor.topic),
      cursors.map(cursor => cursor.partition),
      starts,
      EVENTS_PER_PARTITION,
    ]
    const { rows } = await this.pool.query<LogRow>({ ...READ_ON, values })
    for (const row of rows) {
      const cursor = cursors.find(({ topic, partition }) => topic === row.topic && partition === row.partition)
      if (cursor) cursor.next = String(BigInt(row.position) + 1n)
      await this.show(row)
    }
    if (rows.length === 0) return null
    const isBehind = cursors.some(({ next }, i) => Number(next) - Number(starts[i]) >= EVENTS_PER_PARTITION)
    return isBehind ? PAUSE_MS : pauseAfterBatch(rows.length)
  }

  private async show(row: LogRow): Promise<void> {
    try {
      await this.options.handler(eventOf(row))
    } catch (error) {
      this.logger.error({ err: error, event: row.id, type: row.type }, 'a live event was not delivered')
    }
  }
}
