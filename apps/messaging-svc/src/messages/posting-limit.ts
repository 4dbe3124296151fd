import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** Nobody types a message a second for a minute. */
export const MESSAGES_PER_USER: AttemptLimit = { attempts: 60, seconds: 60 }

/** Keeps one person from flooding another. */
@Injectable()
export class PostingLimit {
  readonly #perUser: Attempts

  constructor(dataSource: DataSource) {
    this.#perUser = new Attempts(dataSource, 'message', MESSAGES_PER_USER)
  }

  /** @throws DomainError `RATE_LIMITED` when it is one too many; `details.retryAfterSeconds` says when to come back */
  count(userId: string): Promise<void> {
    return this.#perUser.count(userId)
  }
}
