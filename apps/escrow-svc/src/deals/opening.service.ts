import type { Purchase } from '@holdfast/contracts/transaction-routes'
import { PAYMENT_WINDOW_DAYS } from '@holdfast/kernel/clocks'
import { DomainError } from '@holdfast/kernel/errors'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { lockUntilCommit } from '@holdfast/service-kit/database/lock-until-commit'
import { findAnswer, hashInput, type IdempotencyKey, keepAnswer } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, Not } from 'typeorm'
import { refuseClosedUsers } from '../accounts/closed-users.js'
import type { EscrowConfig } from '../config.js'
import { DealEntity } from './deal.entity.js'
import { DealDeadlines } from './deal-deadlines.js'
import { startClock } from './domain/clocks.js'
import { insertDeal, insertFirstRows, type Opening, signerOf } from './opening-rows.js'
import { refuseTooManyUnpaid } from './unpaid-limit.js'

/** The route part of the idempotency key. */
const ROUTE = 'open'

/**
 * Opens deals. The terms of the listing are copied and frozen: later edits of the listing change no deal, and a deal can be
 * shown while listing-svc is down.
 */
@Injectable()
export class OpeningService {
  private readonly log = loggerOf('opening')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /**
   * Opens a deal on a listing. Of two buyers at the same time, one gets it.
   *
   * @returns the deal's id. A call with the same idempotency key returns the id of the first deal. So does a second call for a
   * listing that was made for one buyer. This holds even if that deal was cancelled since
   * @throws DomainError `OWN_LISTING`, `LISTING_NOT_AVAILABLE` (naming the deal if the buyer has it already; also when only another buyer
   * has signed the terms),
   * `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED` for a user with too many unpaid deals, or who cancelled too many;
   * `COUNTERPARTY_UNAVAILABLE`, `FORBIDDEN` as `refuseClosedUsers`
   */
  async open(opening: Opening): Promise<number> {
    const { terms, buyerId, openedBy, purchase } = opening
    if (buyerId === terms.sellerId) throw new DomainError('OWN_LISTING')
    const input = purchase ?? { listingId: terms.listingId, buyerId, amount: terms.price }
    const key = opening.key === null ? null : keyOf(openedBy, opening.key, input)
    const answered = key && (await findAnswer<Opened>(this.dataSource, key))
    if (answered) return answered.id
    if (terms.status !== 'active' && !terms.deal) throw new DomainError('LISTING_NOT_AVAILABLE')
    if (signerOf(terms, buyerId) === null) throw new DomainError('LISTING_NOT_AVAILABLE')
    const now = await databaseTime(this.dataSource)
    const daySeconds = this.config.DAY_SECONDS
    const window = startClock('payment_window', PAYMENT_WINDOW_DAYS.card, { now, daySeconds })
    const id = await this.dataSource.transaction(async manager => {
      await refuseClosedUsers(manager, openedBy, [buyerId, terms.sellerId])
      if (isOffer(opening) && (await hadDeal(manager, terms.listingId))) return null
      const id = await insertDeal(manager, opening, window.dueAt, { now, daySeconds })
      if (id === null) return null
      await refuseTooManyUnpaid(manager, opening, { now, daySeconds })
      await insertFirstRows(manager, id, opening, window.dueAt, now)
      // A request with the same key has opened a deal on another listing in the meantime.
      if (key && !(await keepAnswer(manager, key, { id } satisfies Opened, now)))
        throw new DomainError('IDEMPOTENCY_KEY_REUSED')
      return id
    })
    if (id === null) {
      const first = key && (await findAnswer<Opened>(this.dataSource, key))
      return first ? first.id : this.findExisting(opening)
    }
    this.deadlines.set(id, window.kind, window.dueAt)
    return id
  }

  /**
   * The deal that the user's earlier request with the same key has opened.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND` for a new key, `IDEMPOTENCY_KEY_REUSED`
   */
  async findPurchased(request: Pick<Opening, 'openedBy' | 'key'> & { readonly purchase: Purchase }): Promise<number> {
    const { openedBy, key, purchase } = request
    const answered = key && (await findAnswer<Opened>(this.dataSource, keyOf(openedBy, key, purchase)))
    if (!answered) throw new DomainError('TRANSACTION_NOT_FOUND')
    return answered.id
  }

  /** Opens the deal for which a listing was made. If the listing ever had a deal, it does nothing: the event may come late. */
  async openByEvent(offer: Pick<Opening, 'terms' | 'buyerId' | 'openedBy'>): Promise<void> {
    const { listingId } = offer.terms
    try {
      await this.open({ ...offer, purchase: null, key: null })
    } catch (error) {
      const reason = error instanceof DomainError && NO_DEAL[error.code]
      if (!reason) throw error
      // A retry would be refused, too. This is no fault, so the event must not become a dead letter. The listing has no deal.
      this.log.warn({ listingId, userId: offer.openedBy }, `no deal was opened: ${reason}`)
    }
  }

  /** The deal that the listing has already, if it was made for this buyer. @throws DomainError `LISTING_NOT_AVAILABLE` */
  private async findExisting(opening: Opening): Promise<number> {
    const { terms, buyerId } = opening
    const { listingId } = terms
    const existing = await this.dataSource.getRepository(DealEntity).findOne({
      where: isOffer(opening) ? { listingId } : { listingId, status: Not('cancelled') },
      order: { id: 'ASC' },
    })
    if (!existing || existing.buyerId !== buyerId) throw new DomainError('LISTING_NOT_AVAILABLE')
    if (!terms.deal) throw new DomainError('LISTING_NOT_AVAILABLE', { transactionId: existing.id })
    return existing.id
  }
}

/** Why the listing of an event can have no deal. */
const NO_DEAL: Readonly<Record<string, string>> = {
  RATE_LIMITED: 'the user has too many unpaid deals',
  COUNTERPARTY_UNAVAILABLE: 'the other party closes their account',
  FORBIDDEN: 'the user closes their account',
  LISTING_NOT_AVAILABLE: 'the item was listed again and has a deal already',
}

/** Whether a deal is opened because a listing was made for one buyer. Both the request that made it and its event do that. */
const isOffer = ({ terms, purchase }: Opening): boolean => terms.deal !== null && purchase === null

/**
 * Whether a listing ever had a deal. The lock makes the openings of one listing wait for each other. Otherwise the first deal
 * could be opened and cancelled between this query and the insert of the second.
 */
async function hadDeal(manager: EntityManager, listingId: number): Promise<boolean> {
  await lockUntilCommit(manager, `deal of listing ${listingId}`)
  return manager.existsBy(DealEntity, { listingId })
}

const keyOf = (userId: string, key: string, input: Purchase): IdempotencyKey => ({
  userId,
  route: ROUTE,
  key,
  inputHash: hashInput(input),
})

/** The answer that is kept for a key: the deal that the first request opened. */
interface Opened {
  readonly id: number
}
