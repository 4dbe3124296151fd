import { type CreateListing, listingInternalRoutes } from '@holdfast/contracts/listings'
import type { ListingTerms } from '@holdfast/contracts/terms'
import { type PartyUser, PublicUser } from '@holdfast/contracts/users'
import { ApiError } from '@holdfast/http-client/api-error'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { DealsService, type UserContext } from '../deals/deals.service.js'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'
import { counterpartyIdOf } from './counterparty.js'

const log = loggerOf('listings')

/** Offering an item, alone or for a chosen counterparty. */
@Injectable()
export class ListingsService {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
    private readonly transactions: DealsService,
  ) {}

  /**
   * Keeps the listing and, with a counterparty, opens their deal. A deal that could not be opened here is opened by the
   * listing's event, so the listing is answered all the same, without its `transaction`.
   *
   * @throws DomainError COUNTERPARTY_REQUIRED; VALIDATION_FAILED naming `selectedUserId` for one who does not exist, or is
   * the one who asks; RATE_LIMITED for a maker of too many offers to counterparties, and for one with too many unpaid
   * deals: then the listing is kept, and the same request opens its deal once there is room
   */
  async create(listing: CreateListing, context: UserContext) {
    const counterpartyId = counterpartyIdOf(listing, context.actor.id)
    const sellerId = listing.userRole === 'seller' ? context.actor.id : counterpartyId
    if (sellerId === null) throw new DomainError('COUNTERPARTY_REQUIRED')
    const [seller] = await Promise.all([this.seller(sellerId, counterpartyId), this.mustExist(counterpartyId)])
    const { createListingRecord } = listingInternalRoutes
    // What anybody may know of the seller, and no more: it stands in the listing for everybody to read.
    const input = { body: { listing, seller: PublicUser.parse(seller), counterpartyId } }
    const created = await this.calls.call('listing-svc', createListingRecord, input, context)
    const transaction = await this.openDeal(created.terms, context)
    return transaction ? { ...created.listing, transaction } : created.listing
  }

  private async seller(sellerId: string, counterpartyId: string | null): Promise<PartyUser> {
    if (sellerId !== counterpartyId) return this.people.get(sellerId)
    return this.mustExist(sellerId)
  }

  /** Asked afresh: somebody who signed up a moment ago can be chosen. */
  private async mustExist(userId: string): Promise<PartyUser>
  private async mustExist(userId: string | null): Promise<PartyUser | null>
  private async mustExist(userId: string | null): Promise<PartyUser | null> {
    if (userId === null) return null
    const person = await this.people.find(userId, 0)
    if (!person) throw invalidFields({ selectedUserId: 'No such user.' })
    return person
  }

  private async openDeal(terms: ListingTerms, context: UserContext): Promise<{ id: number } | null> {
    if (!terms.deal) return null
    try {
      const { id } = await this.transactions.open(terms, terms.deal.buyerId, context)
      return { id }
    } catch (error) {
      // Its event will be refused the same, and the maker would wait for a deal that never comes.
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') throw error
      log.warn(
        { err: error, listingId: terms.listingId },
        'the deal was not opened here; the event of the listing opens it',
      )
      return null
    }
  }
}
