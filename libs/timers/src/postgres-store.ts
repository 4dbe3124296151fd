import { GuardedClient } from '@holdfast/service-kit/database/guarded-client'
import { assertSchemaCompatibility, type PgPool, PostgresConnection, PostgresQueueBackend } from 'bullmq'
import pg from 'pg'
import { pausingAfterErrors, type QueueStore } from './queue-store.js'
import { TIMERS_SCHEMA } from './timers-schema.js'

const CONNECT_TIMEOUT_MS = 3_000
const STATEMENT_TIMEOUT_MS = 10_000
/** A listening connection may be idle for hours. TCP keep-alive starts after this, so that a lost one is noticed. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** Most connections of a use. A worker needs one of them to listen with. */
const MOST_CONNECTIONS = { 'adding jobs': 1, 'running jobs': 3 } as const
/** The most connections to the database that the timers of a service need. With a queue in Redis they need none. */
export const TIMER_CONNECTIONS = MOST_CONNECTIONS['adding jobs'] + MOST_CONNECTIONS['running jobs']

interface QueueConnection {
  readonly databaseUrl: string
  /** The connections' application_name. */
  readonly name: string
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

/**
 * Keeps the jobs in the service's own database, in the tables of BullMQ.
 * @param service the service's name, which its connections have
 */
export const postgresStore = (databaseUrl: string, service: string): QueueStore => ({
  createBackend: (name, opts) => {
    const { connection: use } = opts
    const connection = new TimersConnection({ databaseUrl, name: `${service}-timers`, max: MOST_CONNECTIONS[use] })
    return pausingAfterErrors(new TimersBackend(connection, name, { ...opts, connection: databaseUrl }))
  },
  // When the database is away, so are the deadlines.
  usable: true,
  closesAtOnce: false,
  open: async () => {},
  disconnect: () => {},
})
