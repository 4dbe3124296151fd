import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { DataSource } from 'typeorm'

/** Nobody types a message a second for a minute. */
export const MESSAGES_PER_USER = 60
export const POSTING_WINDOW_SECONDS = 60
const MS_PER_SECOND = 1_000

/** Keeps one person from flooding another; counted in the database, so that all replicas agree. */
@Injectable()
export class PostingLimit {
  readonly #limiter: RateLimiterPostgres

  constructor(dataSource: DataSource) {
    this.#limiter = new RateLimiterPostgres({
      storeClient: dataSource,
      storeType: 'typeorm',
      schemaName: 'messaging',
      tableName: 'attempts',
      tableCreated: true,
      keyPrefix: 'message',
      points: MESSAGES_PER_USER,
      duration: POSTING_WINDOW_SECONDS,
    })
  }

  /** @throws DomainError `RATE_LIMITED` when it is one too many; `details.retryAfterSeconds` says when to come back */
  async count(userId: string): Promise<void> {
    try {
      await this.#limiter.consume(userId)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / MS_PER_SECOND) })
    }
  }
}
