import { setTimeout as sleep } from 'node:timers/promises'
import { HeardClient } from '@holdfast/service-kit/database/database'
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
/** Whoever listens hears nothing for hours, also of a connection that is gone: the network is asked so soon. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** How soon a queue in trouble looks for its database again; BullMQ's own 15 s would leave every deadline late. */
export const RETRY_AFTER_MS = 500

export interface QueueConnection {
  readonly databaseUrl: string
  /** What the connections are called in PostgreSQL. */
  readonly name: string
  /** Most connections; a worker needs one of them to listen with. */
  readonly max: number
}

/**
 * BullMQ's connection with a pool of ours. Left alone, BullMQ listens with a client whose errors are heard only after it
 * has connected, and a session that PostgreSQL ends in that moment would end the process.
 */
class TimersConnection extends PostgresConnection {
  override readonly schema = TIMERS_SCHEMA
  private ready: Promise<void> | undefined
  private closed: Promise<void> | undefined

  constructor(connection: QueueConnection) {
    // A pool is what BullMQ asks for; only its declaration of one and that of `pg` do not meet.
    super(poolFor(connection) as unknown as PgPool)
  }

  /** Looks once whether these tables are for this BullMQ. Its own look is never repeated, also when it failed. */
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
  /** As often as needed, like the connection's. */
  override waitUntilReady(): Promise<void> {
    return this.connection.waitUntilReady()
  }

  /** A worker asks again at once after most errors, and would do nothing else while the database is in trouble. */
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
    Client: HeardClient,
  })

/** Builds what BullMQ's classes keep their jobs in, for `withBackend`. */
export const createQueueBackend: BackendFactory<PostgresQueueBackend, QueueConnection> = (name, opts) =>
  new TimersBackend(new TimersConnection(opts.connection), name, { ...opts, connection: opts.connection.databaseUrl })
