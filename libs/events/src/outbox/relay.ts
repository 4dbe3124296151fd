import { setTimeout as sleep } from 'node:timers/promises'
import type { Topic } from '@holdfast/contracts/events'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import pg from 'pg'
import { connectionConfig, endClient, SILENT_MS, whileAlive } from '../connection.js'
import type { EventTransport, StoredEvent } from '../transport.js'
import { isWorthLogging, pauseAfterBatch, reconnectDelay, Wakeup } from '../wakeup.js'
import { publishTraced } from './publish-traced.js'

/** Most events in one batch. */
const RELAY_BATCH = 500

/** How often the outbox is read without a wake-up. It finds events left by a crash and events of other replicas. */
export const RELAY_POLL_MS = 500

/** How long to wait while another replica relays. It may have read the outbox just before our events were committed. */
const RELAY_BUSY_MS = 50

/** The highest backlog that the metric reports. */
const COUNT_LIMIT = 10_000

/** The class of the advisory locks: the holder of an outbox's lock relays it. */
const RELAY_LOCK_CLASS = 740_101

export interface RelayOptions {
  readonly databaseUrl: string
  /** The schema whose outbox it empties. */
  readonly schema: string
  readonly transport: EventTransport
  readonly onPublished?: (events: number) => void
  /** Lets a test stop the relay between publishing events and deleting them. */
  readonly afterPublish?: () => Promise<void>
}

/**
 * Publishes the events of a service's outbox: in the order of their ids, in batches, one relay per outbox at a time. After
 * a crash between publishing and deleting, events are published again; the transport drops ids that it has.
 */
export class OutboxRelay {
  private readonly logger = loggerOf('outbox-relay')
  private readonly wakeup = new Wakeup()
  private connection: Promise<pg.Client> | undefined
  private client: pg.Client | undefined
  private running: Promise<void> | undefined
  private stopping = false
  private failures = 0

  constructor(private readonly options: RelayOptions) {}

  start(): void {
    this.stopping = false
    this.running ??= this.run()
  }

  /** Wakes the relay, so that it publishes committed events at once. It is cheap and may be called at any time. */
  wake(): void {
    this.wakeup.wake()
  }

  /** Publishes the outbox for at most `deadlineMs`, and stops. The next relay publishes the rest. */
  async stop(deadlineMs = 5_000): Promise<void> {
    if (!this.running) return
    this.stopping = true
    this.wakeup.wake()
    if (!(await isDoneWithin(deadlineMs, this.running))) this.logger.warn('the last events stay in the outbox')
    this.running = undefined
    await this.disconnect()
  }

  /** How many events wait in the outbox, counted up to a limit. */
  async waiting(): Promise<{ events: number; oldestSeconds: number }> {
    const client = await this.connected()
    return (await client.query<{ events: number; oldestSeconds: number }>(WAITING(this.outbox), [COUNT_LIMIT])).rows[0]!
  }

  /** Reads the outbox once more after `stop` was called, so that the events of the last request are published. */
  private async run(): Promise<void> {
    let last = false
    while (!last) {
      last = this.stopping
      try {
        const pause = await this.emptyOutbox()
        this.failures = 0
        if (!this.stopping) await this.wakeup.sleep(pause)
      } catch (error) {
        await this.disconnect()
        if (this.stopping) return this.logger.error({ err: error }, 'the last events stay in the outbox')
        if (isWorthLogging(this.failures))
          this.logger.warn({ err: error }, 'the outbox could not be relayed; trying again')
        await sleep(reconnectDelay(this.failures++))
      }
    }
  }

  /** Relays until the outbox is empty. @returns how long to wait before the next read, in milliseconds */
  private async emptyOutbox(): Promise<number> {
    const client = await this.connected()
    const lock = await client.query<{ mine: boolean }>(LOCK_IF_ANY(this.outbox), [
      RELAY_LOCK_CLASS,
      this.options.schema,
    ])
    if (lock.rows.length === 0) return RELAY_POLL_MS
    if (!lock.rows[0]!.mine) return RELAY_BUSY_MS
    // A failure ends the connection, which releases the lock.
    let published: string[] = []
    for (;;) {
      const rows = await this.take(client, published)
      if (rows.length === 0) break
      await whileAlive(client, publishTraced(this.options.transport, rows.map(storedEvent)))
      await this.options.afterPublish?.()
      this.options.onPublished?.(rows.length)
      published = rows.map(row => row.id)
      // A full batch shows that more events wait.
      if (rows.length < RELAY_BATCH && !this.stopping) await sleep(pauseAfterBatch(rows.length))
    }
    await client.query({ name: 'relay-unlock', text: UNLOCK, values: [RELAY_LOCK_CLASS, this.options.schema] })
    return RELAY_POLL_MS
  }

  /** Deletes what was published and reads the next batch, in one statement. */
  private async take(client: pg.Client, published: readonly string[]): Promise<OutboxRow[]> {
    const values = [published, RELAY_BATCH]
    return (await client.query<OutboxRow>({ name: 'relay-take', text: TAKE(this.outbox), values })).rows
  }

  private get outbox(): string {
    return `"${this.options.schema}".outbox`
  }

  private connected(): Promise<pg.Client> {
    this.connection ??= this.connect().catch(error => {
      this.connection = undefined
      throw error
    })
    return this.connection
  }

  private async connect(): Promise<pg.Client> {
    // When a crash loses a deletion, the event is published again, which is harmless: the commit need not wait for the disk.
    // A replica that hangs must not keep the lock: the outbox is read more often than this, with or without events.
    const settings = { synchronous_commit: 'off', idle_session_timeout: String(SILENT_MS) }
    const client = new pg.Client(connectionConfig(this.options.databaseUrl, `${this.options.schema}-relay`, settings))
    // `error` and `end` both occur; the first of them has the reason. The next statement makes a new connection. Without a listener for
    // `error` a terminated session would end the process.
    const lost = (error?: Error): void => {
      if (this.client !== client) return
      this.forget()
      this.logger.warn({ err: error }, 'the connection of the relay was lost')
    }
    client.on('error', lost)
    client.on('end', () => lost())
    await client.connect()
    this.client = client
    return client
  }

  private forget(): void {
    this.client = undefined
    this.connection = undefined
  }

  private async disconnect(): Promise<void> {
    const client = this.client
    this.forget()
    await endClient(client)
  }
}

interface OutboxRow {
  id: string
  event_id: string
  topic: Topic
  key: string
  type: string
  payload: string
  request_id: string | null
  traceparent: string | null
  at: string
}

const storedEvent = (row: OutboxRow): StoredEvent => ({
  id: row.event_id,
  topic: row.topic,
  key: row.key,
  type: row.type,
  payload: row.payload,
  requestId: row.request_id,
  traceparent: row.traceparent,
  occurredAt: row.at,
})

/** Returns no row when the outbox is empty, otherwise whether this connection got the lock. */
const LOCK_IF_ANY = (outbox: string): string =>
  `SELECT pg_try_advisory_lock($1, hashtext($2)) AS mine FROM (SELECT 1 FROM ${outbox} LIMIT 1) waiting`

const UNLOCK = 'SELECT pg_advisory_unlock($1, hashtext($2))'

/** Deletes by exact ids, because a row with a smaller id may be committed later than one with a greater id. */
const TAKE = (outbox: string): string => `
  WITH gone AS (DELETE FROM ${outbox} WHERE id = ANY($1::bigint[]))
  SELECT id::text AS id, event_id, topic, key, type, payload::text AS payload, request_id, traceparent, at::text AS at
    FROM ${outbox} WHERE id <> ALL($1::bigint[]) ORDER BY outbox.id LIMIT $2`

const WAITING = (outbox: string): string => `
  SELECT count(*)::int AS events, coalesce(extract(epoch FROM now() - min(at)), 0)::float AS "oldestSeconds"
    FROM (SELECT at FROM ${outbox} ORDER BY id LIMIT $1) waiting`
