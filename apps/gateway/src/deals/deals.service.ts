import { isDeepStrictEqual } from 'node:util'
import { listingInternalRoutes } from '@holdfast/contracts/listings'
import type { Input, Output, Parsed } from '@holdfast/contracts/route'
import { type ListingTerms, SeenTerms } from '@holdfast/contracts/terms'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-internal-routes'
import type { Purchase } from '@holdfast/contracts/transaction-routes'
import type { DealParty, Transaction, TransactionRecord } from '@holdfast/contracts/transactions'
import { ApiError } from '@holdfast/http-client/api-error'
import type { DealStatus, PartyRole } from '@holdfast/kernel/deals'
import { DomainError, unknownOutcome } from '@holdfast/kernel/errors'
import { parseAmount } from '@holdfast/kernel/money'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { isNamed } from '../people/is-named.js'
import { People } from '../people/people.js'
import { type CallContext, ServiceCalls } from '../services/service-calls.js'

const log = loggerOf('deals')

/** A call on behalf of a signed-in user. */
export type UserContext = CallContext & { readonly actor: UserActor }

/** Deals with the profiles of their parties. It joins answers of escrow-svc, identity-svc and listing-svc. */
@Injectable()
export class DealsService {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  /**
   * One of the user's deals.
   *
   * @throws ApiError TRANSACTION_NOT_FOUND; ConnectionError when a service does not answer
   */
  async get(id: number, context: UserContext): Promise<Transaction> {
    const { getTransactionRecord } = transactionInternalRoutes
    const input = { params: { id: String(id) } }
    const record = await this.calls.call('escrow-svc', getTransactionRecord, input, context)
    return this.withPeople(record, context)
  }

  /** The user's deals, newest first. Throws as `get`. */
  async list(query: Parsed<typeof RECORDS>['query'], context: UserContext): Promise<Transaction[]> {
    const others = query.q ? await this.findPartners(query.q, context) : []
    const records =
      others.length === 0
        ? await this.calls.call('escrow-svc', RECORDS, { query }, context)
        : await this.calls.call('escrow-svc', SEARCH, { body: { ...query, others } }, { ...context, isRead: true })
    return Promise.all(records.map(record => this.withPeople(record, context)))
  }

  /** The other parties of the user's deals whom a text names. Only identity-svc knows names. */
  private async findPartners(text: string, context: UserContext): Promise<string[]> {
    const ids = await this.calls.call('escrow-svc', PARTNERS, {}, context)
    const people = await Promise.all(ids.map(id => this.people.party(id)))
    return people.filter(person => isNamed(person, text)).map(({ id }) => id)
  }

  /**
   * Opens the deal in which the user buys a listing, under the listing's present terms.
   *
   * @throws DomainError FORBIDDEN when `buyerId` is not the user, OWN_LISTING, LISTING_NOT_AVAILABLE, COUNTERPARTY_UNAVAILABLE,
   * LISTING_PRICE_CHANGED or LISTING_CHANGED when the price or the terms are not what the buyer saw; UNAVAILABLE with an unknown
   * outcome when the deal is open and cannot be shown
   */
  async buy(purchase: Purchase, context: UserContext): Promise<Transaction> {
    const { listingId, buyerId } = purchase
    const { actor } = context
    if (buyerId && buyerId !== actor.id) throw new DomainError('FORBIDDEN')
    const { getListingTerms } = listingInternalRoutes
    let record: TransactionRecord
    try {
      const input = { params: { id: String(listingId) } }
      const terms = await this.calls.call('listing-svc', getListingTerms, input, context)
      checkPurchase(purchase, terms, actor)
      await this.people.refuseBlocked(actor.id, terms.sellerId)
      record = await this.open({ terms, buyerId: actor.id, purchase }, context)
    } catch (error) {
      record = await this.firstAnswer(purchase, context, error)
    }
    try {
      return await this.withPeople(record, context)
    } catch (error) {
      log.warn({ err: error, transactionId: record.id }, 'a deal is open, but its parties could not be looked up')
      throw unknownOutcome()
    }
  }

  /** Opens a deal under given terms. A unique index of escrow-svc decides whether the listing still has no deal. */
  open(body: Input<typeof OPEN>['body'], context: UserContext): Promise<Output<typeof OPEN>> {
    return this.calls.call('escrow-svc', OPEN, { body }, context)
  }

  /**
   * The deal that an earlier request with the same idempotency key has opened. The listing is reserved, sold or changed
   * since then, so the repeated request is refused although the first one succeeded.
   *
   * @throws `refusal` itself when there was no such request
   */
  private async firstAnswer(purchase: Purchase, context: UserContext, refusal: unknown): Promise<TransactionRecord> {
    if (!context.idempotencyKey || !isRefusal(refusal)) throw refusal
    const { findPurchasedTransaction } = transactionInternalRoutes
    try {
      const asked = { ...context, isRead: true }
      return await this.calls.call('escrow-svc', findPurchasedTransaction, { body: { purchase } }, asked)
    } catch (error) {
      throw error instanceof ApiError && error.code === 'TRANSACTION_NOT_FOUND' ? refusal : error
    }
  }

  private async withPeople(record: TransactionRecord, { actor }: UserContext): Promise<Transaction> {
    const [buyer, seller] = await Promise.all([this.people.party(record.buyerId), this.people.party(record.sellerId)])
    const asShown = (party: DealParty, role: PartyRole) =>
      party.id === actor.id || hasActed(role, record) ? party : { ...party, email: null }
    return { ...record, buyer: asShown(buyer, 'buyer'), seller: asShown(seller, 'seller') }
  }
}

/** The statuses that only this party's own act leads to: the buyer pays, the seller ships or hands over. */
const OWN_ACTS: Readonly<Record<PartyRole, readonly DealStatus[]>> = {
  buyer: ['paid'],
  seller: ['in_progress', 'shipped'],
}

/**
 * Whether a party has acted on the deal. A user can name any person as the other party, and can pay. So neither may show the
 * e-mail address of a person who has done nothing.
 */
const hasActed = (role: PartyRole, { reached }: TransactionRecord): boolean =>
  reached.some(({ status }) => OWN_ACTS[role].includes(status))

const OPEN = transactionInternalRoutes.openTransaction
const RECORDS = transactionInternalRoutes.listTransactionRecords
const SEARCH = transactionInternalRoutes.searchTransactionRecords
const PARTNERS = transactionInternalRoutes.listTransactionPartners

/** Whether a service or a rule has refused the request, so that the request had no effect. */
const isRefusal = (error: unknown) => error instanceof ApiError || error instanceof DomainError

/** Refuses a purchase that is not possible, or whose price or terms are not what the buyer saw. */
function checkPurchase({ amount, seen }: Purchase, terms: ListingTerms, buyer: UserActor): void {
  if (terms.sellerId === buyer.id) throw new DomainError('OWN_LISTING')
  if (terms.status !== 'active') throw new DomainError('LISTING_NOT_AVAILABLE')
  if (parseAmount(amount, terms.currency, 'amount') !== parseAmount(terms.price, terms.currency)) {
    throw new DomainError('LISTING_PRICE_CHANGED', { price: terms.price, currency: terms.currency })
  }
  if (seen && !isAsSeen(terms, seen)) throw new DomainError('LISTING_CHANGED')
}

const isAsSeen = (terms: ListingTerms, seen: SeenTerms): boolean =>
  isDeepStrictEqual(SeenTerms.parse(terms), SeenTerms.parse(seen))
