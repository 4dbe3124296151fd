import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import { Deal } from './deal.entity.js'

/** A new deal arrives here by its event. A request that is faster waits for the event, at most this long. */
const MAX_WAIT_MS = 1_000
const CHECK_EVERY_MS = 100
/** The most requests that may wait at the same time. */
export const MAX_WAITING = 100
/** The most waiting requests of one user, so that one user cannot use up MAX_WAITING with ids that do not exist. */
export const MAX_WAITING_PER_USER = 5

/** Reads deals and their parties. */
@Injectable()
export class DealsService {
  #waiting = 0
  readonly #waitingOf = new Map<string, number>()

  constructor(@InjectRepository(Deal) private readonly deals: Repository<Deal>) {}

  /**
   * The deal, for one of its parties. Another user waits as long as for a deal that does not exist, so that the response time
   * does not reveal which deals exist.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`; `RATE_LIMITED` when too many requests of this user wait already, `UNAVAILABLE` when
   * too many of all do
   */
  async getForParty(transactionId: number, userId: string): Promise<Deal> {
    const deal = (await this.#find(transactionId, userId)) ?? (await this.#waitFor(transactionId, userId))
    if (!deal || deal.hidden) throw new DomainError('TRANSACTION_NOT_FOUND')
    return deal
  }

  async #waitFor(transactionId: number, userId: string): Promise<Deal | null> {
    this.#enter(userId)
    try {
      for (let waited = 0; waited < MAX_WAIT_MS; waited += CHECK_EVERY_MS) {
        await sleep(CHECK_EVERY_MS)
        const deal = await this.#find(transactionId, userId)
        if (deal) return deal
      }
      return null
    } finally {
      this.#leave(userId)
    }
  }

  #enter(userId: string): void {
    const own = this.#waitingOf.get(userId) ?? 0
    if (own >= MAX_WAITING_PER_USER) throw new DomainError('RATE_LIMITED')
    if (this.#waiting >= MAX_WAITING) throw new DomainError('UNAVAILABLE')
    this.#waiting++
    this.#waitingOf.set(userId, own + 1)
  }

  #leave(userId: string): void {
    this.#waiting--
    const own = this.#waitingOf.get(userId)! - 1
    if (own === 0) this.#waitingOf.delete(userId)
    else this.#waitingOf.set(userId, own)
  }

  #find(transactionId: number, userId: string): Promise<Deal | null> {
    return this.deals.findOneBy([
      { transactionId, buyerId: userId },
      { transactionId, sellerId: userId },
    ])
  }
}

/** The other party of the deal. */
export const otherParty = ({ buyerId, sellerId }: Pick<Deal, 'buyerId' | 'sellerId'>, userId: string): string =>
  userId === buyerId ? sellerId : buyerId
