import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type pg from 'pg'
import { connectionConfig, eventsPool } from '../connection.js'
import type { LaneOutcome } from '../consumer/lane.js'
import type { LogRow } from '../consumer/log-event.js'
import { LogListener } from '../embedded/log-listener.js'
import { LogReplay } from '../embedded/log-replay.js'
import { INSERT_DEAD_LETTER } from '../embedded/log-statements.js'
import type { DeliveryHandler } from '../transport.js'

/** One writes, and one replays. */
const CONNECTIONS = 2

/**
 * What the database keeps of a group's events on Kafka that are not handled: dead letters, in the table that the embedded log has, too,
 * and those for which partitions wait. Operators see and decide both with the same commands.
 */
export class KafkaDeadLetters {
  private readonly logger = loggerOf('dead-letters')
  private readonly pool: pg.Pool
  private readonly listener: LogListener
  private readonly replay: LogReplay

  constructor(
    database: { readonly url: string; readonly name: string },
    private readonly group: string,
    handler: DeliveryHandler,
    outageDelayMs: number,
  ) {
    this.pool = eventsPool({ ...connectionConfig(database.url, database.name), max: CONNECTIONS }, this.logger)
    this.listener = new LogListener(database.url, database.name)
    this.replay = new LogReplay(this.pool, group, handler, outageDelayMs)
  }

  /** Replays from now on what operators ask for. Resolves after the first attempt to reach the database. */
  async start(): Promise<void> {
    this.listener.add(payload => {
      if (payload === null || payload === `replay:${this.group}`) this.replay.wake()
    })
    await this.listener.start()
    this.replay.start()
  }

  /** Writes a dead letter. One of the same event is kept as it is. */
  async write(row: LogRow, attempts: number, error: string): Promise<void> {
    const { topic, partition, position, id, key, type, payload, request_id, traceparent, occurred_at } = row
    const event = [topic, partition, position, id, key, type, JSON.stringify(payload)]
    await this.pool.query(WRITE, [...event, request_id, traceparent, occurred_at, this.group, attempts, error])
  }

  /**
   * Shows the event for which a partition waits, and how many events come after it.
   * @returns whether an operator has asked to make it a dead letter
   */
  async wait(row: LogRow, failing: NonNullable<LaneOutcome['failing']>, eventsBehind: bigint): Promise<boolean> {
    const { topic, partition, id, key, type } = row
    const { attempts, outages, retryMs, error } = failing
    const values = [
      this.group,
      topic,
      partition,
      id,
      key,
      type,
      attempts,
      outages,
      retryMs,
      error,
      Number(eventsBehind),
    ]
    return (await this.pool.query<{ bury_requested: boolean }>(WAIT, values)).rows[0]!.bury_requested
  }

  /** The partition waits no more. */
  async endWait(topic: string, partition: number): Promise<void> {
    await this.pool.query(END_WAIT, [this.group, topic, partition])
  }

  async close(): Promise<void> {
    await this.replay.close()
    await this.listener.stop()
    await this.pool.end()
  }
}

const WRITE = `${INSERT_DEAD_LETTER} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`

/** `since` and the request stay while the same event fails. */
const WAIT = `
  INSERT INTO events.waiting AS w
    (consumer_group, topic, partition, event_id, key, type, attempts, outages, retry_at, error, events_behind)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 millisecond', $10, $11)
  ON CONFLICT (consumer_group, topic, partition) DO UPDATE SET
    event_id = excluded.event_id, key = excluded.key, type = excluded.type, attempts = excluded.attempts,
    outages = excluded.outages, retry_at = excluded.retry_at, error = excluded.error, events_behind = excluded.events_behind,
    since = CASE WHEN w.event_id = excluded.event_id THEN w.since ELSE now() END,
    bury_requested = w.bury_requested AND w.event_id = excluded.event_id
  RETURNING bury_requested`

const END_WAIT = 'DELETE FROM events.waiting WHERE consumer_group = $1 AND topic = $2 AND partition = $3'
