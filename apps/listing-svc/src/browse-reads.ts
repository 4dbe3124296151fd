import { requireConnections } from '@holdfast/service-kit/database/connection-limits'
import { CONNECT_TIMEOUT_MS } from '@holdfast/service-kit/database/connection-settings'
import { DEADLOCK, SERIALIZATION_FAILURE } from '@holdfast/service-kit/database/database-trouble'
import { PeriodicJob } from '@holdfast/service-kit/lifecycle/periodic-job'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import type pg from 'pg'
import type { ListingConfig } from './config.js'

/** Injection token of the reads that may be some seconds old (`BrowseReads`). */
export const BROWSE_READS = Symbol('reads for browsing')

/** What reads the listings on sale, for everybody: the pool for reading, or a read replica in front of it. */
export type BrowseReads = Pick<pg.Pool, 'query'>

/** How often the replica is compared with the primary. */
const COMPARE_EVERY_MS = 5_000
/** A read that has waited so long for the replica is repeated at the primary. */
const ANSWER_TIMEOUT_MS = CONNECT_TIMEOUT_MS

/** PostgreSQL's code when a statement was cancelled. */
const QUERY_CANCELED = '57014'
/** A statement that stood in the way of the replay is cancelled with one of these. The replica itself is in order. */
const RECOVERY_CONFLICT = new Set<unknown>([SERIALIZATION_FAILURE, DEADLOCK, QUERY_CANCELED])

// What is flushed is what a standby gets. Both functions are allowed to every role.
const FLUSHED = 'SELECT pg_current_wal_flush_lsn() AS lsn'
const HAS_REPLAYED = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has'

/**
 * Reads from a replica, and from the primary while the replica cannot be used: it does not answer, or has not replayed what the primary had at
 * the comparison before. A read that fails at the replica is repeated at the primary.
 */
export class ReplicaReads extends PeriodicJob {
  /** Undefined until the first comparison. */
  #isUsable: boolean | undefined
  /** The primary's position in its log at the last comparison. */
  #flushed: string | undefined
  #isCounted = false

  /** @param max the most connections that `replica` opens */
  constructor(
    private readonly replica: pg.Pool,
    private readonly primary: pg.Pool,
    private readonly max: number,
    private readonly config: Pick<ListingConfig, 'REPLICAS' | 'NODE_ENV'>,
  ) {
    super(COMPARE_EVERY_MS, 'the read replica could not be compared with the primary')
  }

  /** As `pg.Pool.query` with a statement. */
  query = (async (statement: pg.QueryConfig) => {
    if (!this.#isUsable) return this.primary.query(statement)
    try {
      return await answerOf(this.replica, statement)
    } catch (error) {
      // If the statement is at fault, the primary's error tells the caller.
      if (!RECOVERY_CONFLICT.has((error as { code?: unknown }).code)) this.#judge(false, error)
      return this.primary.query(statement)
    }
  }) as pg.Pool['query']

  /** Compares once. */
  async run(): Promise<void> {
    try {
      const { rows } = await answerOf<{ lsn: string }>(this.primary, { text: FLUSHED })
      const now = rows[0]!.lsn
      const before = this.#flushed ?? now
      this.#flushed = now
      await this.#requireReplayed(before)
      await this.#requireRoom()
      this.#judge(true)
    } catch (error) {
      this.#judge(false, error)
    }
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown()
    await this.replica.end()
  }

  async #requireReplayed(lsn: string): Promise<void> {
    const { rows } = await answerOf<{ has: boolean | null }>(this.replica, { text: HAS_REPLAYED, values: [lsn] })
    if (rows[0]!.has === null) throw new Error('DATABASE_READ_URL leads to no standby')
    if (!rows[0]!.has) throw new Error(`the replica has not replayed ${lsn}, which the primary had earlier`)
  }

  /** The replica has limits of its own. It may be away when the service boots, so they are compared when it first answers. */
  async #requireRoom(): Promise<void> {
    if (this.#isCounted) return
    const own = { of: 'listing-svc', replicas: this.config.REPLICAS['listing-svc'], connections: this.max, pooled: 0 }
    await requireConnections(async text => (await answerOf(this.replica, { text })).rows, [own], this.config)
    this.#isCounted = true
  }

  #judge(isUsable: boolean, error?: unknown): void {
    if (isUsable === this.#isUsable || this.isStopping) return
    this.#isUsable = isUsable
    if (isUsable) this.logger.info('listings are browsed at the read replica')
    else this.logger.warn({ err: error }, 'the read replica cannot be used: listings are browsed at the primary')
  }
}

async function answerOf<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<R>> {
  const answer = pool.query<R>(statement)
  if (await isDoneWithin(ANSWER_TIMEOUT_MS, answer)) return answer
  throw new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms to: ${statement.text}`)
}
