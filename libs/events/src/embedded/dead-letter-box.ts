import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import pg from 'pg'
import { connectionConfig } from '../connection.js'
import type { LogRow } from '../consumer/log-event.js'
import type { DeliveryHandler, Subscription } from '../transport.js'
import { LogListener } from './log-listener.js'
import { LogReplay } from './log-replay.js'
import { INSERT_DEAD_LETTER } from './log-statements.js'

/** One writes dead letters, and one replays them. */
const CONNECTIONS = 2

/** The dead letters of a service whose events do not come from the embedded log. They are in the same table. */
export class DeadLetterBox {
  private readonly logger = loggerOf('dead-letters')
  private readonly pool: pg.Pool
  private readonly listener: LogListener
  private listening: Promise<void> | undefined

  constructor(databaseUrl: string, service: string) {
    this.pool = new pg.Pool({ ...connectionConfig(databaseUrl, `${service}-dead-letters`), max: CONNECTIONS })
    const lost = (error: Error): void => this.logger.warn({ err: error }, 'a database connection was lost')
    this.pool.on('error', lost)
    this.pool.on('connect', client => client.on('error', lost))
    this.listener = new LogListener(databaseUrl, `${service}-dead-letters`)
  }

  /** Writes a dead letter of a group. One of the same event is kept as it is. */
  async add(group: string, row: LogRow, attempts: number, error: string): Promise<void> {
    const { topic, partition, position, id, key, type, payload, request_id, traceparent, occurred_at } = row
    const copied = [
      topic,
      partition,
      position,
      id,
      key,
      type,
      JSON.stringify(payload),
      request_id,
      traceparent,
      occurred_at,
    ]
    await this.pool.query(ADD, [...copied, group, attempts, error])
  }

  /** Replays the dead letters of a group that an operator asks for, until it is closed. */
  async replayFor(group: string, handler: DeliveryHandler, outageDelayMs: number): Promise<Subscription> {
    const replay = new LogReplay(this.pool, group, handler, outageDelayMs)
    const stopListening = this.listener.add(word => {
      if (word === null || word === `replay:${group}`) replay.kick()
    })
    this.listening ??= this.listener.start()
    await this.listening
    replay.kick()
    return {
      close: async () => {
        stopListening()
        await replay.close()
      },
    }
  }

  async close(): Promise<void> {
    await this.listener.stop()
    await this.pool.end()
  }
}

const ADD = `${INSERT_DEAD_LETTER} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`
