import type { listingInternalRoutes, listingRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import type { ListingTerms } from '@holdfast/contracts/terms'
import { assert } from '@holdfast/kernel/assert'
import { DEAL_CURRENCY } from '@holdfast/kernel/money'
import { checkStarts, type PictureSender, UploadedPictures } from '@holdfast/pictures/uploaded-pictures'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { callerLeft } from '@holdfast/service-kit/http/caller-left'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import { hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { CreationLimits } from './creation-limits.js'
import { changeable, readable } from './domain/access.js'
import { decideChange, decideWithdrawal, hashesOf } from './domain/change.js'
import { decideOffer } from './domain/offer.js'
import { readPrice } from './domain/price.js'
import { decideRelisting, type NewListing } from './domain/relisting.js'
import { followDeals } from './follow-statements.js'
import type { FollowedEvent } from './followed-events.js'
import { concerned, type ListingRow } from './listing-row.js'
import { ListingsReader } from './listings.reader.js'
import { type CreatedListing, ListingsRepository, type NewAcceptance } from './listings.repository.js'
import { toTerms } from './terms-row.js'

type CreateBody = Parsed<typeof listingInternalRoutes.createListingRecord>['body']
type LegalAcceptance = CreateBody['listing']['legalAcceptance']
type Change = Parsed<typeof listingRoutes.updateListing>['body']

/** Creates listings, changes them for their owners, and updates them by the events of their deals. */
@Injectable()
export class ListingsService {
  constructor(
    private readonly repository: ListingsRepository,
    private readonly reader: ListingsReader,
    private readonly pictures: UploadedPictures,
    private readonly limits: CreationLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a listing with its pictures and signed agreements. A repetition with the same Idempotency-Key gets the first
   * answer.
   *
   * @throws DomainError COUNTERPARTY_REQUIRED, AMOUNT_INVALID, IMAGE_INVALID, IMAGE_TOO_LARGE, IDEMPOTENCY_KEY_REUSED;
   * RATE_LIMITED for a user who creates too many, or too many for counterparties; EMAIL_NOT_CONFIRMED as `CreationLimits.count`
   */
  async create(
    { listing, seller, counterpartyId, makerConfirmed }: CreateBody,
    ctx: RequestContext,
  ): Promise<CreatedListing> {
    const { id: creatorId } = requireUser(ctx.actor)
    const offer = decideOffer(listing, creatorId, counterpartyId)
    assert(seller.id === offer.sellerId, 'the gateway sends the user who is the seller of the listing')
    const priceMinor = readPrice(listing.price)
    checkStarts(listing.images)
    const key = keyOf(creatorId, ctx.idempotencyKey, [listing, counterpartyId])
    const known = key && (await this.repository.findCreated(key))
    if (known) return known
    await this.limits.count(creatorId, { offeredTo: counterpartyId, isConfirmed: makerConfirmed })
    const sender = { userId: creatorId, left: callerLeft(ctx.reply) }
    const imageHashes = await this.keepImages(listing.images, sender)
    // The sender got no answer and may have sent the request again without a key: a second listing must not appear.
    sender.left.throwIfAborted()
    const { signedAs, ...owned } = offer
    const fresh: NewListing = {
      ...fieldsOf(listing),
      ...owned,
      createdBy: creatorId,
      priceMinor,
      imageHashes,
      transactionId: null,
      itemId: null,
    }
    const acceptance = acceptanceOf(listing.legalAcceptance, creatorId, signedAs, ctx)
    return this.repository.create(seller, fresh, acceptance, this.clock.now(), key)
  }

  /**
   * Changes a listing for its owner, and returns its new state. A change of the terms is signed anew by them. Open deals keep their own
   * copy of the terms.
   *
   * @param expectedVersion the version the owner has seen; null to overwrite any
   * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN, LISTING_IN_DEAL, CONFLICT, and as `create` for the fields
   */
  async update(
    id: number,
    change: Change,
    ctx: RequestContext<UserActor>,
    expectedVersion: number | null,
  ): Promise<ListingRow> {
    const { actor, reply } = ctx
    const sender = { userId: actor.id, left: callerLeft(reply) }
    const images = change.images && (await this.keepChangedImages(id, change.images, sender))
    const now = this.clock.now()
    await this.repository.change(id, now, found => {
      const after = decideChange(found, { ...change, images }, actor.id, expectedVersion)
      if (!after?.digitalSignature) return after && { listing: after.listing, acceptance: null }
      const { listing, digitalSignature } = after
      const signed = { ...ALL_ACCEPTED, digitalSignature, signatureDate: now.toISOString() }
      return { listing, acceptance: acceptanceOf(signed, actor.id, 'seller', ctx) }
    })
    return this.reader.get(id, actor.id)
  }

  /**
   * Takes a listing off sale for its owner; does nothing when it is off sale already.
   *
   * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN, LISTING_IN_DEAL
   */
  withdraw(id: number, actor: UserActor): Promise<void> {
    return this.repository.change(id, this.clock.now(), found => {
      const after = decideWithdrawal(found, actor.id)
      return after && { listing: after.listing, acceptance: null }
    })
  }

  /**
   * Makes a new listing of an item that was not sold or came back, under agreements that its seller signs anew. A repetition gets
   * the listing that was made.
   *
   * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN, LISTING_IN_DEAL, LISTING_ON_SALE; RATE_LIMITED as `create`
   */
  async relist(id: number, signed: LegalAcceptance, ctx: RequestContext<UserActor>): Promise<ListingRow> {
    const { actor } = ctx
    const { made } = decideRelisting(await this.repository.find(id), actor.id)
    if (made !== null) return this.reader.get(made, actor.id)
    await this.limits.count(actor.id)
    const acceptance = acceptanceOf(signed, actor.id, 'seller', ctx)
    return this.reader.get(await this.repository.relist(id, { id: actor.id, acceptance }, this.clock.now()), actor.id)
  }

  /**
   * The terms of a deal on the listing, for a user who may see it.
   *
   * @throws DomainError LISTING_NOT_FOUND
   */
  async terms(id: number, { actor }: Pick<RequestContext, 'actor'>): Promise<ListingTerms> {
    const row = await this.repository.findTerms(id)
    readable(row && concerned(row), actor?.kind === 'user' ? actor.id : null)
    return toTerms(row!)
  }

  /**
   * Changes listings by the events of their deals. An event for an unknown listing is a fault and becomes a dead letter.
   *
   * @param manager the dbTx of the events, which were not handled before
   */
  follow(events: readonly FollowedEvent[], manager: EntityManager): Promise<void> {
    return followDeals(manager, events, this.clock.now())
  }

  private async keepImages(images: readonly string[], sender: PictureSender): Promise<string[]> {
    return (await this.pictures.keep(images, sender)).filter(hash => hash !== null)
  }

  /** Checks first that the user may change the listing, so that a stranger cannot make the service decode pictures. */
  private async keepChangedImages(id: number, images: readonly string[], sender: PictureSender): Promise<string[]> {
    const listing = changeable(await this.repository.find(id), sender.userId)
    hashesOf(
      images.filter(image => !image.startsWith('data:')),
      listing,
    )
    const kept = await this.pictures.keep(images, sender)
    return images.map((image, i) => kept[i] ?? image)
  }
}

function keyOf(userId: string, key: string | null, input: unknown): IdempotencyKey | null {
  return key === null ? null : { userId, route: 'POST /api/listings', key, inputHash: hashInput(input) }
}

type DescriptiveField = 'title' | 'description' | 'category' | 'condition' | 'returnPolicy'
type PlainField = DescriptiveField | 'currency' | 'inspectionDays' | 'location'

/** The fields of a listing that are stored unchanged. */
function fieldsOf(listing: CreateBody['listing']): Pick<NewListing, PlainField> {
  const { title, description, category, condition, returnPolicy, inspectionPeriod, location } = listing
  return {
    ...{ title, description, category, condition, returnPolicy },
    currency: DEAL_CURRENCY,
    inspectionDays: inspectionPeriod,
    location: location || null,
  }
}

/** Whoever signs a change with their name accepts the three agreements. */
const ALL_ACCEPTED = { termsAccepted: true, escrowAgreement: true, harmlessClause: true } as const

function acceptanceOf(
  signed: LegalAcceptance,
  signerId: string,
  signedAs: NewAcceptance['signedAs'],
  { clientIp, userAgent }: Pick<RequestContext, 'clientIp' | 'userAgent'>,
): NewAcceptance {
  return { ...signed, signerId, signedAs, clientIp, userAgent }
}
