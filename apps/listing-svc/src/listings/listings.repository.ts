import { listingCreated } from '@holdfast/contracts/events'
import type { Listing } from '@holdfast/contracts/listings'
import type { ListingTerms } from '@holdfast/contracts/terms'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { searchText } from '@holdfast/kernel/search-text'
import { hashTerms } from '@holdfast/service-kit/agreement/terms-hash'
import { answerOnce, findAnswer, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import type { Seller } from '../sellers/seller.js'
import { ensureSeller } from '../sellers/sellers.service.js'
import type { ListingState } from './domain/listing.js'
import { decideRelisting, type NewListing } from './domain/relisting.js'
import { LegalAcceptanceEntity } from './legal-acceptance.entity.js'
import { ListingEntity } from './listing.entity.js'
import { type ListingRow, SELECT_LISTINGS, toListing } from './listing-row.js'
import { SELECT_TERMS, type TermsRow, toTerms, toUnsignedTerms } from './terms-row.js'

/** The agreements that are signed with it. */
export type NewAcceptance = Omit<
  LegalAcceptanceEntity,
  'id' | 'listingId' | 'listingVersion' | 'agreementsVersion' | 'termsHash' | 'receivedAt'
>

/** What becomes of a listing, and what is signed with that, if anything. */
type Decide = (
  listing: ListingState | null,
) => { readonly listing: ListingState; readonly acceptance: NewAcceptance | null } | null

/** The answer to a creation. */
export interface CreatedListing {
  readonly listing: Listing
  readonly terms: ListingTerms
}

/** Writes listings. Each method is one dbTx, which also writes the events. */
@Injectable()
export class ListingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The first answer to an idempotency key; undefined for a new key.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED
   */
  findCreated(key: IdempotencyKey): Promise<CreatedListing | undefined> {
    return findAnswer<CreatedListing>(this.dataSource, key)
  }

  /** Stores a listing with its seller and the signed agreements; with an idempotency key, once per key. */
  create(
    seller: Seller,
    listing: NewListing,
    acceptance: NewAcceptance,
    now: Date,
    key: IdempotencyKey | null,
  ): Promise<CreatedListing> {
    const insert = (manager: EntityManager) => insertListing(manager, seller, listing, acceptance, now)
    return key ? answerOnce(this.dataSource, key, now, insert) : this.dataSource.transaction(insert)
  }

  /** The stored listing, or null. */
  find(id: number): Promise<ListingState | null> {
    return this.dataSource.manager.findOneBy(ListingEntity, { id })
  }

  /** Locks the listing, calls `decide` for its new state and signature (null: no change), and stores both. */
  change(id: number, now: Date, decide: Decide): Promise<void> {
    return this.dataSource.transaction(manager => changeLocked(manager, id, now, decide))
  }

  /**
   * Lists the item of a listing again, under a new signature. The old listing is locked, so that two requests make one listing.
   *
   * @returns the id of the new listing
   * @throws DomainError as `decideRelisting` does
   */
  relist(id: number, seller: { readonly id: string; readonly acceptance: NewAcceptance }, now: Date): Promise<number> {
    return this.dataSource.transaction(async manager => {
      const relisting = decideRelisting(await lock(manager, id), seller.id)
      if (relisting.made !== null) return relisting.made
      const { listing } = await insertForKnownSeller(manager, relisting.listing, seller.acceptance, now)
      await write(manager, { ...relisting.origin, relistedAs: listing.id }, now)
      return listing.id
    })
  }

  /** The terms of a deal on the listing, or null for an unknown id. */
  findTerms(id: number): Promise<TermsRow | null> {
    return readTerms(this.dataSource.manager, id)
  }
}

async function insertListing(
  manager: EntityManager,
  seller: Seller,
  listing: NewListing,
  acceptance: NewAcceptance,
  now: Date,
): Promise<CreatedListing> {
  await ensureSeller(manager, seller)
  return insertForKnownSeller(manager, listing, acceptance, now)
}

async function insertForKnownSeller(
  manager: EntityManager,
  listing: NewListing,
  acceptance: NewAcceptance,
  now: Date,
): Promise<CreatedListing> {
  await refuseClosedSeller(manager, listing)
  const { identifiers } = await manager.insert(ListingEntity, {
    ...listing,
    imageHashes: [...listing.imageHashes],
    version: 1,
    status: 'active',
    withdrawn: false,
    relistedAs: null,
    createdAt: now,
    updatedAt: now,
    searchText: searchText(`${listing.title} ${listing.description}`),
  })
  // TypeORM does not transform generated ids: here the id is still the driver's text.
  const id = Number(identifiers[0]!.id)
  await sign(manager, id, acceptance, now)
  const row = await readTerms(manager, id)
  assert(row, 'a listing that was just inserted can be read')
  const created = { listing: toListing(row), terms: toTerms(row) }
  const { terms } = created
  await appendToOutbox(manager, newEvent(listingCreated, id, { listingId: id, sellerId: terms.sellerId, terms }, now))
  return created
}

/** The lock is shared until the end of the dbTx, so that a closing at the same moment waits and then finds the listing. */
const CLOSED_SELLERS = 'SELECT closed_at AS "closedAt" FROM seller WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE'

/** @throws DomainError FORBIDDEN when the account of the seller or of the listing's author is closed */
async function refuseClosedSeller(manager: EntityManager, { sellerId, createdBy }: NewListing): Promise<void> {
  const sellers: { closedAt: Date | null }[] = await manager.query(CLOSED_SELLERS, [[sellerId, createdBy]])
  if (sellers.some(({ closedAt }) => closedAt !== null)) throw new DomainError('FORBIDDEN')
}

const lock = (manager: EntityManager, id: number): Promise<ListingState | null> =>
  manager.findOne(ListingEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })

async function changeLocked(manager: EntityManager, id: number, now: Date, decide: Decide): Promise<void> {
  const found = await lock(manager, id)
  const next = decide(found)
  if (!found || !next) return
  await write(manager, next.listing, now)
  await keepRemoved(manager, found, next.listing)
  if (next.acceptance) await sign(manager, id, next.acceptance, now)
}

/** Stores a signature on the terms that the listing has now, with their hash. */
async function sign(manager: EntityManager, listingId: number, acceptance: NewAcceptance, now: Date): Promise<void> {
  const [row]: ListingRow[] = await manager.query(`${SELECT_LISTINGS} WHERE l.id = $1`, [listingId])
  assert(row, 'a listing that was just written can be read')
  const terms = toUnsignedTerms({
    ...row,
    agreements_version: AGREEMENTS_VERSION,
    signed_as: acceptance.signedAs,
    received_at: now,
  })
  await manager.insert(LegalAcceptanceEntity, {
    ...acceptance,
    id: newId(now.getTime()),
    listingId,
    listingVersion: row.version,
    agreementsVersion: AGREEMENTS_VERSION,
    termsHash: hashTerms(terms),
    receivedAt: now,
  })
}

/** Stores the new state of a locked listing. */
async function write(manager: EntityManager, next: ListingState, now: Date): Promise<void> {
  const { id, imageHashes, invitedIds: _invitedIds, signedBySeller: _signedBySeller, ...fields } = next
  const version = next.version + 1
  const searched = searchText(`${next.title} ${next.description}`)
  await manager.update(
    ListingEntity,
    { id },
    { ...fields, imageHashes: [...imageHashes], version, updatedAt: now, searchText: searched },
  )
}

/** Remembers the pictures that a change removed, because deals that were opened before still show them. */
async function keepRemoved(manager: EntityManager, before: ListingState, after: ListingState): Promise<void> {
  const removed = before.imageHashes.filter(hash => !after.imageHashes.includes(hash))
  if (removed.length > 0) await manager.query(KEEP_REMOVED, [removed, before.id])
}

const KEEP_REMOVED = `INSERT INTO removed_picture (hash, listing_id) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING`

async function readTerms(manager: EntityManager, id: number): Promise<TermsRow | null> {
  const rows: TermsRow[] = await manager.query(SELECT_TERMS, [id])
  return rows[0] ?? null
}
