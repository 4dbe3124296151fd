import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** A search box asks with every pause in typing; nobody pauses twice a second for a minute. */
export const SEARCHES_PER_USER: AttemptLimit = { attempts: 120, seconds: 60 }

/** Keeps the search from being a way to copy the list of users. */
@Injectable()
export class SearchLimit {
  readonly #perUser: Attempts

  constructor(dataSource: DataSource) {
    this.#perUser = new Attempts(dataSource, 'search', SEARCHES_PER_USER)
  }

  /** @throws DomainError `RATE_LIMITED` */
  count(userId: string): Promise<void> {
    return this.#perUser.count(userId)
  }
}
