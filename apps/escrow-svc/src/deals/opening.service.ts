import { createHash } from 'node:crypto'
import { EVENTS } from '@holdfast/contracts/events'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { Purchase } from '@holdfast/contracts/transaction-routes'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { assert } from '@holdfast/kernel/assert'
import { PAYMENT_WINDOW_DAYS } from '@holdfast/kernel/clocks'
import { LAPSED_PURCHASE_COUNTS_DAYS } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { buyerFeesOf, CURRENT_FEE_SCHEDULE, sellerFeeOf } from '@holdfast/kernel/fees'
import { newId } from '@holdfast/kernel/ids'
import { parseAmount } from '@holdfast/kernel/money'
import type { Plan } from '@holdfast/kernel/users'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { findAnswer, hashInput, type IdempotencyKey, keepAnswer } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import canonicalize from 'canonicalize'
import { DataSource, type EntityManager, Not } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { DealEntity } from './deal.entity.js'
import { DealDeadlines } from './deal-deadlines.js'
import { factsOf } from './deal-events.js'
import { daysMs, startClock } from './domain/clocks.js'
import { refuseTooManyUnpaid } from './unpaid-limit.js'

/** Every user has the standard plan until there is billing. A deal keeps the plan under which it was opened. */
const PLAN: Plan = 'standard'

/** A request to open a deal. */
export interface Opening {
  readonly terms: ListingTerms
  readonly buyerId: string
  /** The user who opens the deal: the buyer, or the author of a listing that was made for a chosen counterparty. */
  readonly openedBy: string
  /** The buyer's request; null when the listing was made for a chosen counterparty. */
  readonly purchase: Purchase | null
  /** The idempotency key of the request, when there was one. */
  readonly key: string | null
}

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
   * @throws DomainError `OWN_LISTING`, `LISTING_NOT_AVAILABLE` (naming the deal if the buyer has it already),
   * `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED` for a user with too many unpaid deals
   */
  async open(opening: Opening): Promise<number> {
    const { terms, buyerId, openedBy, purchase } = opening
    if (buyerId === terms.sellerId) throw new DomainError('OWN_LISTING')
    const input = purchase ?? { listingId: terms.listingId, buyerId, amount: terms.price }
    const key = opening.key === null ? null : keyOf(openedBy, opening.key, input)
    const answered = key && (await findAnswer<Opened>(this.dataSource, key))
    if (answered) return answered.id
    if (terms.status !== 'active' && !terms.deal) throw new DomainError('LISTING_NOT_AVAILABLE')
    const now = await databaseTime(this.dataSource)
    const daySeconds = this.config.DAY_SECONDS
    const window = startClock('payment_window', PAYMENT_WINDOW_DAYS.card, { now, daySeconds })
    const countsSince = new Date(now.getTime() - daysMs(LAPSED_PURCHASE_COUNTS_DAYS, { daySeconds }))
    const id = await this.dataSource.transaction(async manager => {
      if (isOffer(opening) && (await hadDeal(manager, terms.listingId))) return null
      const id = await insertDeal(manager, opening, window.dueAt, now)
      if (id === null) return null
      await refuseTooManyUnpaid(manager, opening, countsSince)
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
      if (!(error instanceof DomainError && error.code === 'RATE_LIMITED')) throw error
      // A retry would be refused, too. This is no fault, so the event must not become a dead letter. The listing has no deal.
      this.log.warn({ listingId, userId: offer.openedBy }, 'no deal was opened: the user has too many unpaid deals')
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

/** Whether a deal is opened because a listing was made for one buyer. Both the request that made it and its event do that. */
const isOffer = ({ terms, purchase }: Opening): boolean => terms.deal !== null && purchase === null

/**
 * Whether a listing ever had a deal. The lock makes the openings of one listing wait for each other. Otherwise the first deal
 * could be opened and cancelled between this query and the insert of the second.
 */
async function hadDeal(manager: EntityManager, listingId: number): Promise<boolean> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`deal of listing ${listingId}`])
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

/** Inserts the deal's row and returns its id; null when the listing has a deal already (a unique index decides). */
async function insertDeal(manager: EntityManager, opening: Opening, dueAt: Date, now: Date): Promise<number | null> {
  const { terms, buyerId, openedBy } = opening
  const priceMinor = parseAmount(terms.price, terms.currency)
  const basis = {
    priceMinor,
    currency: terms.currency,
    feeSchedule: CURRENT_FEE_SCHEDULE,
    buyerPlan: PLAN,
    sellerPlan: PLAN,
  }
  const fees = buyerFeesOf(basis, 'card')
  const [row]: { id: string }[] = await manager.query(
    `INSERT INTO transaction (status, listing_id, buyer_id, seller_id, opened_by, title, terms, terms_hash, terms_version,
       currency, price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor, fee_schedule,
       buyer_plan, seller_plan, inspection_days, clock, due_at, created_at, updated_at, terms_text)
     VALUES ('pending', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17,
       'payment_window', $18, $19, $19, $20)
     ON CONFLICT (listing_id) WHERE status <> 'cancelled' DO NOTHING RETURNING id`,
    [
      terms.listingId,
      buyerId,
      terms.sellerId,
      openedBy,
      terms.title,
      JSON.stringify(terms),
      hashTerms(terms),
      terms.agreementsVersion,
      terms.currency,
      priceMinor.toString(),
      fees.platformFeeMinor.toString(),
      fees.processingFeeMinor.toString(),
      fees.buyerFeeMinor.toString(),
      sellerFeeOf(basis).toString(),
      CURRENT_FEE_SCHEDULE,
      PLAN,
      terms.inspectionDays,
      dueAt,
      now,
      textOf(terms),
    ],
  )
  return row ? Number(row.id) : null
}

/** Inserts the acceptance, the first timeline entry, the start of the payment window, and the event. */
async function insertFirstRows(
  manager: EntityManager,
  id: number,
  opening: Opening,
  dueAt: Date,
  now: Date,
): Promise<void> {
  const { terms, buyerId, openedBy } = opening
  const by = `user:${openedBy}` as const
  const signer = terms.signedBy === 'seller' ? terms.sellerId : buyerId
  await manager.query(
    `INSERT INTO acceptance (transaction_id, party, user_id, by, terms_version, terms_hash, at)
     VALUES ($1, $2, $3, 'signing', $4, $5, $6)`,
    [id, terms.signedBy, signer, terms.agreementsVersion, hashTerms(terms), new Date(terms.signedAt)],
  )
  await manager.query(
    `INSERT INTO timeline (id, transaction_id, version, kind, status, actor, at)
     VALUES ($1, $2, 1, 'open', 'pending', $3, $4)`,
    [newId(), id, by, now],
  )
  await manager.query(
    `INSERT INTO clock_entry (id, transaction_id, version, clock, change, cause, actor, at, due_at)
     VALUES ($1, $2, 1, 'payment_window', 'started', 'open', $3, $4, $5)`,
    [newId(), id, by, now, dueAt],
  )
  const deal = {
    id,
    listingId: terms.listingId,
    buyerId,
    sellerId: terms.sellerId,
    title: terms.title,
    priceMinor: parseAmount(terms.price, terms.currency),
    currency: terms.currency,
  }
  const payload = { ...factsOf(deal, by, now), status: 'pending' as const, openedBy }
  await appendToOutbox(manager, newEvent(EVENTS.transactionOpened, id, payload, now))
}

/**
 * The terms that both parties accept, as the text that is hashed. In canonical JSON (RFC 8785) the same terms always give the
 * same text, so that the hash can be recomputed from the terms.
 */
function textOf(terms: ListingTerms): string {
  const { status: _status, ...agreed } = terms
  const text = canonicalize(agreed)
  assert(text !== undefined, 'terms are an object')
  return text
}

/** The hash of the terms that both parties accept. It proves later which terms were accepted. */
const hashTerms = (terms: ListingTerms): Buffer => createHash('sha256').update(textOf(terms)).digest()
