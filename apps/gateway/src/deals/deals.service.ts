import { isDeepStrictEqual } from 'node:util'
import { listingInternalRoutes } from '@holdfast/contracts/listings'
import type { Input, Output } from '@holdfast/contracts/route'
import { type ListingTerms, SeenTerms } from '@holdfast/contracts/terms'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-routes'
import type { Transaction, TransactionRecord } from '@holdfast/contracts/transactions'
import type { PartyUser } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { parseAmount } from '@holdfast/kernel/money'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import { People } from '../people/people.js'
import { type CallContext, ServiceCalls } from '../services/service-calls.js'

/** A call on behalf of a signed-in user. */
export type UserContext = CallContext & { readonly actor: UserActor }

export interface Purchase {
  readonly listingId: number
  readonly buyerId?: string | null | undefined
  /** The price that the buyer saw, as a decimal. It is only compared with the listing's price. */
  readonly amount: string
  /** The other terms that the buyer saw. */
  readonly seen?: SeenTerms | undefined
}

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
   * @throws ApiError TRANSACTION_NOT_FOUND; ConnectionError when a service does not answer; DomainError UNAVAILABLE when
   * identity-svc does not know a party
   */
  async get(id: number, context: UserContext): Promise<Transaction> {
    const { getTransactionRecord } = transactionInternalRoutes
    const input = { params: { id: String(id) } }
    const record = await this.calls.call('escrow-svc', getTransactionRecord, input, context)
    return this.withPeople(record, context)
  }

  /** The user's deals, newest first. Throws as `get`. */
  async list(query: Input<typeof RECORDS>['query'], context: UserContext): Promise<Transaction[]> {
    const records = await this.calls.call('escrow-svc', RECORDS, { query }, context)
    return Promise.all(records.map(record => this.withPeople(record, context)))
  }

  /**
   * Opens the deal in which the user buys a listing, under the listing's present terms.
   *
   * @throws DomainError FORBIDDEN when `buyerId` is not the user, OWN_LISTING, LISTING_NOT_AVAILABLE,
   * LISTING_PRICE_CHANGED or LISTING_CHANGED when the price or the terms are not what the buyer saw
   */
  async buy(purchase: Purchase, context: UserContext): Promise<Transaction> {
    const { listingId, buyerId } = purchase
    const { actor } = context
    if (buyerId && buyerId !== actor.id) throw new DomainError('FORBIDDEN')
    const { getListingTerms } = listingInternalRoutes
    const terms = await this.calls.call('listing-svc', getListingTerms, { params: { id: String(listingId) } }, context)
    checkPurchase(purchase, terms, actor, Boolean(context.idempotencyKey))
    return this.withPeople(await this.open(terms, actor.id, context), context)
  }

  /** Opens a deal under given terms. A unique index of escrow-svc decides whether the listing still has no deal. */
  open(terms: ListingTerms, buyerId: string, context: UserContext): Promise<Output<typeof OPEN>> {
    return this.calls.call('escrow-svc', OPEN, { body: { terms, buyerId } }, context)
  }

  private async withPeople(record: TransactionRecord, { actor }: UserContext): Promise<Transaction> {
    const [buyer, seller] = await Promise.all([this.people.get(record.buyerId), this.people.get(record.sellerId)])
    const isPaid = record.reached.some(({ status }) => status === 'paid')
    const asShown = (party: PartyUser) => (isPaid || party.id === actor.id ? party : { ...party, email: null })
    return { ...record, buyer: asShown(buyer), seller: asShown(seller) }
  }
}

const OPEN = transactionInternalRoutes.openTransaction
const RECORDS = transactionInternalRoutes.listTransactionRecords

/**
 * Refuses a purchase that is not possible, or whose price or terms are not what the buyer saw.
 *
 * A reserved listing may be reserved by this buyer's own first attempt, whose answer was lost. So with an idempotency key
 * it is passed on to escrow-svc, which repeats its answer to that attempt, or refuses.
 */
function checkPurchase({ amount, seen }: Purchase, terms: ListingTerms, buyer: UserActor, isRepeatable: boolean): void {
  if (terms.sellerId === buyer.id) throw new DomainError('OWN_LISTING')
  const isOpen = terms.status === 'active' || (terms.status === 'reserved' && isRepeatable)
  if (!isOpen) throw new DomainError('LISTING_NOT_AVAILABLE')
  if (parseAmount(amount, terms.currency) !== parseAmount(terms.price, terms.currency)) {
    throw new DomainError('LISTING_PRICE_CHANGED', { price: terms.price, currency: terms.currency })
  }
  if (seen && !isAsSeen(terms, seen)) throw new DomainError('LISTING_CHANGED')
}

const isAsSeen = (terms: ListingTerms, seen: SeenTerms): boolean =>
  isDeepStrictEqual(SeenTerms.parse(terms), SeenTerms.parse(seen))
