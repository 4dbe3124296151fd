import { MAX_OFFERS_PER_HOUR } from '@holdfast/kernel/listings'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

const OFFERS_PER_MAKER: AttemptLimit = { attempts: MAX_OFFERS_PER_HOUR, seconds: 3600 }

/** Keeps one person from filling the accounts of others, who have no say in what is offered to them. */
@Injectable()
export class OfferLimit {
  readonly #perMaker: Attempts

  constructor(dataSource: DataSource) {
    this.#perMaker = new Attempts(dataSource, 'offer', OFFERS_PER_MAKER)
  }

  /** @throws DomainError `RATE_LIMITED` when it is one too many; `details.retryAfterSeconds` says when to come back */
  count(makerId: string): Promise<void> {
    return this.#perMaker.count(makerId)
  }
}
