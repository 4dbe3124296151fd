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

/** Creates listings, and opens the deal when a counterparty was chosen. */
@Injectable()
export class ListingsService {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
    private readonly deals: DealsService,
  ) {}

  /**
   * Creates the listing and, with a counterparty, opens the deal. When the deal cannot be opened now, the listing's event
   * opens it later, and the answer has no `transaction`.
   *
   * @throws DomainError COUNTERPARTY_REQUIRED; COUNTERPARTY_UNAVAILABLE when the counterparty has blocked the maker, or closes their
   * account; TRANSACTION_NOT_FOUND for a repeated request whose deal was cancelled since;
   * EMAIL_NOT_CONFIRMED for more than MAX_UNCONFIRMED_OFFERS_PER_DAY offers to strangers without a confirmed e-mail address;
   * VALIDATION_FAILED for `selectedUserId` when that user does not exist or is the maker; RATE_LIMITED when the maker has
   * created too many listings, or has too many unpaid deals: then the listing has been created, and the same request opens its
   * deal later
   */
  async create(listing: CreateListing, context: UserContext) {
    const counterpartyId = counterpartyIdOf(listing, context.actor.id)
    const sellerId = listing.userRole === 'seller' ? context.actor.id : counterpartyId
    if (sellerId === null) throw new DomainError('COUNTERPARTY_REQUIRED')
    const [seller, makerConfirmed] = await Promise.all([
      this.seller(sellerId, counterpartyId),
      counterpartyId === null || this.people.hasConfirmed(context.actor.id),
      this.mustExist(counterpartyId),
    ])
    if (counterpartyId !== null) await this.people.refuseBlocked(context.actor.id, counterpartyId)
    const { createListingRecord } = listingInternalRoutes
    // Only the seller's public fields, because every reader of the listing sees them.
    const input = { body: { listing, seller: PublicUser.parse(seller), counterpartyId, makerConfirmed } }
    const created = await this.calls.call('listing-svc', createListingRecord, input, context)
    const deal = await this.openDeal(created.terms, context)
    return deal ? { ...created.listing, transaction: deal } : created.listing
  }

  private async seller(sellerId: string, counterpartyId: string | null): Promise<PartyUser> {
    if (sellerId !== counterpartyId) return this.people.get(sellerId)
    return this.mustExist(sellerId)
  }

  /** Looks the user up again, so that one who signed up a moment ago can be chosen. */
  private async mustExist(userId: string): Promise<PartyUser>
  private async mustExist(userId: string | null): Promise<PartyUser | null>
  private async mustExist(userId: string | null): Promise<PartyUser | null> {
    if (userId === null) return null
    const person = await this.people.find(userId)
    if (!person) throw invalidFields({ selectedUserId: 'No such user.' })
    return person
  }

  private async openDeal(terms: ListingTerms, context: UserContext): Promise<{ id: number } | null> {
    if (!terms.deal) return null
    try {
      const { id } = await this.deals.open({ terms, buyerId: terms.deal.buyerId, purchase: null }, context)
      return { id }
    } catch (error) {
      // The later attempt by the listing's event would be refused as well, so the maker gets the refusal now.
      if (error instanceof ApiError && error.status < 500) throw error
      log.warn(
        { err: error, listingId: terms.listingId },
        'the deal could not be opened now; the event of the listing opens it later',
      )
      return null
    }
  }
}
