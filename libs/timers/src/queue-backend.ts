import { setTimeout as sleep } from 'node:timers/promises'
import { GuardedClient } from '@holdfast/service-kit/database/database'
import {
  assertSchemaCompatibility,
  type BackendFactory,
  type PgPool,
  PostgresConnection,
  PostgresQueueBackend,
} from 'bullmq'
import pg from 'pg'

/** The schema of BullMQ's own tables. */
export const TIMERS_SCHEMA = 'timers'

const CONNECT_TIMEOUT_MS = 3_000
const STATEMENT_TIMEOUT_MS = 10_000
/** A listening connection may be idle for hours. TCP keep-alive starts after this, so that a lost one is noticed. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** How soon the queue tries again after an error. BullMQ's default of 15 s would make every deadline late. */
export const RETRY_AFTER_MS = 500

export interface QueueConnection {
  readonly databaseUrl: string
  /** The connections' application_name. */
  readonly name: string
  /** Most connections; a worker needs one of them to listen with. */
  readonly max: number
}

/**
 * BullMQ's connection with a pool of ours. BullMQ's own client has an error listener only after it has connected: a session
 * that PostgreSQL ends in that moment would end the process.
 */
class TimersConnection extends PostgresConnection {
  override readonly schema = TIMERS_SCHEMA
  private ready: Promise<void> | undefined
  private closed: Promise<void> | undefined

  constructor(connection: QueueConnection) {
    // BullMQ takes a pool of `pg`; only the two type declarations differ.
    super(poolFor(connection) as unknown as PgPool)
  }

  /** Checks whether the tables fit this version of BullMQ. BullMQ's own check is not repeated after a failure. */
  override waitUntilReady(): Promise<void> {
    this.ready ??= this.look().catch((error: unknown) => {
      this.ready = undefined
      throw error
    })
    return this.ready
  }

  override close(): Promise<void> {
    this.closed ??= super.close().then(() => this.pool.end())
    return this.closed
  }

  private async look(): Promise<void> {
    const client = await this.pool.connect()
    try {
      await assertSchemaCompatibility(client, this.schema)
    } finally {
      client.release()
    }
    this.emit('ready')
  }
}

class TimersBackend extends PostgresQueueBackend {
  /** As in the connection: BullMQ's own check is not repeated after a failure, so this one is made here. */
  override waitUntilReady(): Promise<void> {
    return this.connection.waitUntilReady()
  }

  /** A pause after an error. Without it a worker repeats at once, and would be busy for as long as the database fails. */
  override async moveToActive(token: string, name?: string): Promise<unknown[]> {
    try {
      return await super.moveToActive(token, name)
    } catch (error) {
      await sleep(RETRY_AFTER_MS)
      throw error
    }
  }
}

const poolFor = ({ databaseUrl, name, max }: QueueConnection): pg.Pool =>
  new pg.Pool({
    connectionString: databaseUrl,
    application_name: name,
    max,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `-c search_path=${TIMERS_SCHEMA} -c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    Client: GuardedClient,
  })

/** Builds the storage of BullMQ's classes, for `withBackend`. */
export const createQueueBackend: BackendFactory<PostgresQueueBackend, QueueConnection> = (name, opts) =>
  new TimersBackend(new TimersConnection(opts.connection), name, { ...opts, connection: opts.connection.databaseUrl })
