import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { DataSource } from 'typeorm'
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js'
import { ATTEMPTS } from './attempts-table.js'

const MS_PER_SECOND = 1_000

/** The most attempts within a time. */
export interface AttemptLimit {
  readonly attempts: number
  readonly seconds: number
  /** What a user reads who has made too many; a general message when left out. */
  readonly refusal?: string
  /** A key with too many is refused without asking the database again until its window ends. Not for attempts that are taken back. */
  readonly remembersRefused?: true
}

/**
 * Counts attempts in the service's own database, so that all replicas agree. A window begins with its first attempt. The
 * schema has the `ATTEMPTS_TABLE`.
 */
export class Attempts {
  readonly #limiter: RateLimiterPostgres
  readonly #refusal: string | undefined

  /** @param name of the limit: each limit has its own counts */
  constructor(dataSource: DataSource, name: string, limit: AttemptLimit) {
    this.#refusal = limit.refusal
    const { schema } = dataSource.driver
    assert(schema !== undefined, 'attempts are counted in the schema of a service')
    this.#limiter = new RateLimiterPostgres({
      storeClient: withoutNames(dataSource),
      storeType: 'client',
      schemaName: schema,
      tableName: ATTEMPTS,
      tableCreated: true,
      keyPrefix: name,
      points: limit.attempts,
      duration: limit.seconds,
      ...(limit.remembersRefused && { inMemoryBlockOnConsumed: limit.attempts }),
    })
  }

  /**
   * Counts an attempt. It is counted before its outcome is known, so that many guesses sent at once do not all pass.
   *
   * @param weight how many attempts it counts as
   * @throws DomainError `RATE_LIMITED` when they are too many; `details.retryAfterSeconds` says when the window ends
   */
  async count(key: string, weight = 1): Promise<void> {
    try {
      await this.#limiter.consume(key, weight)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const retryAfterSeconds = Math.ceil(refusal.msBeforeNext / MS_PER_SECOND)
      throw new DomainError('RATE_LIMITED', { retryAfterSeconds }, this.#refusal)
    }
  }

  /** Takes one attempt back, because it succeeded or because the same request was counted already. */
  async takeBack(key: string): Promise<void> {
    await this.#limiter.reward(key)
  }

  /** Sets the count of this key to zero. */
  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key)
  }
}

/** A statement of the limiter. */
interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/**
 * A client of TypeORM's pool for the limiter, which names its statements. PostgreSQL would keep a named statement in its session, and behind a
 * pooler another client uses that session next.
 */
function withoutNames({ driver }: DataSource) {
  const pool = (driver as PostgresDriver).master
  return { query: ({ text, values }: Statement) => pool.query(text, values) }
}
