import { EVENTS } from '@holdfast/contracts/events'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { Purchase } from '@holdfast/contracts/transaction-routes'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { buyerFeesOf, CURRENT_FEE_SCHEDULE, sellerFeeOf } from '@holdfast/kernel/fees'
import { newId } from '@holdfast/kernel/ids'
import { parseAmount } from '@holdfast/kernel/money'
import { searchText } from '@holdfast/kernel/search-text'
import { hashTerms, termsText } from '@holdfast/service-kit/agreement/terms-hash'
import type { EntityManager } from 'typeorm'
import { factsOf } from './deal-events.js'
import { plansOf } from './plans-of.js'

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

/** Inserts the deal's row and returns its id; null when the listing or its item has a deal already (unique indexes decide). */
export async function insertDeal(
  manager: EntityManager,
  opening: Opening,
  dueAt: Date,
  { now, daySeconds }: { readonly now: Date; readonly daySeconds: number },
): Promise<number | null> {
  const { terms, buyerId, openedBy } = opening
  const priceMinor = parseAmount(terms.price, terms.currency)
  const plans = await plansOf(manager, { buyer: buyerId, seller: terms.sellerId }, daySeconds)
  const basis = {
    priceMinor,
    currency: terms.currency,
    feeSchedule: CURRENT_FEE_SCHEDULE,
    buyerPlan: plans.buyer,
    sellerPlan: plans.seller,
  }
  const fees = buyerFeesOf(basis, 'card')
  const [row]: { id: string }[] = await manager.query(
    `INSERT INTO transaction (status, listing_id, buyer_id, seller_id, opened_by, title, terms, terms_hash, terms_version,
       currency, price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor, fee_schedule,
       buyer_plan, seller_plan, inspection_days, clock, due_at, created_at, updated_at, terms_text, search_text, item_id)
     VALUES ('pending', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
       'payment_window', $19, $20, $20, $21, $22, $23)
     ON CONFLICT DO NOTHING RETURNING id`,
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
      plans.buyer,
      plans.seller,
      terms.inspectionDays,
      dueAt,
      now,
      termsText(terms),
      searchText(terms.title),
      terms.itemId ?? null,
    ],
  )
  return row ? Number(row.id) : null
}

/**
 * The party whose signature the terms carry; null when neither signed them: the signature is that of another buyer, for whom the listing
 * was made.
 */
export function signerOf({ signedBy, sellerId, deal }: ListingTerms, buyerId: string): string | null {
  const signer = signedBy === 'seller' ? sellerId : deal?.buyerId
  return signer === sellerId || signer === buyerId ? signer : null
}

/** Inserts the acceptance of who has signed exactly these terms, the first timeline entry, the start of the payment window, and the event. */
export async function insertFirstRows(
  manager: EntityManager,
  id: number,
  opening: Opening,
  dueAt: Date,
  now: Date,
): Promise<void> {
  const { terms, buyerId, openedBy } = opening
  const by = `user:${openedBy}` as const
  const signer = signerOf(terms, buyerId)
  const hash = hashTerms(terms)
  const isSigned = signer !== null && hash.toString('hex') === terms.signedHash
  if (isSigned)
    await manager.query(
      `INSERT INTO acceptance (transaction_id, party, user_id, by, terms_version, terms_hash, at)
       VALUES ($1, $2, $3, 'signing', $4, $5, $6)`,
      [id, terms.signedBy, signer, terms.agreementsVersion, hash, new Date(terms.signedAt)],
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
  const payload = {
    ...factsOf(deal, by, now),
    status: 'pending' as const,
    openedBy,
    sellerAccepted: isSigned && signer === terms.sellerId,
  }
  await appendToOutbox(manager, newEvent(EVENTS.transactionOpened, id, payload, now))
}
