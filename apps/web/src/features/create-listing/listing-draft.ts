import type { CreateListing } from '@holdfast/contracts/listings'
import type { PublicUser } from '@holdfast/contracts/users'
import type { PartyRole } from '@holdfast/kernel/deals'
import { acceptanceOf, type Signature, UNSIGNED } from '../listings/shared/agreements.js'
import { EMPTY_ITEM, type ItemDetails, itemPayloadOf, validateItem } from '../listings/shared/item-details.js'

/** What step 2 asks for, as its fields hold it. */
export interface ListingDetails extends ItemDetails {
  readonly userRole: PartyRole
  readonly isPrivate: boolean
  /** Data URLs, scaled. */
  readonly images: readonly string[]
}

export const EMPTY_DETAILS: ListingDetails = { ...EMPTY_ITEM, userRole: 'seller', isPrivate: false, images: [] }

/** What the three steps have gathered. */
export interface ListingDraft {
  readonly counterparty: PublicUser | null
  readonly details: ListingDetails
  readonly signature: Signature
  /** Absent before the draft is sent, and after a change. */
  readonly sent?: SentDraft
}

/** How a draft was sent. Sent once more it must be the same request, so that the server makes one listing of it. */
export interface SentDraft {
  /** The idempotency key. */
  readonly key: string
  /** ISO 8601. */
  readonly signedAt: string
}

export const EMPTY_DRAFT: ListingDraft = { counterparty: null, details: EMPTY_DETAILS, signature: UNSIGNED }

/** Counts the shapes of `ListingDraft`: change it with them, so that a tab does not restore a draft it cannot read. */
export const DRAFT_VERSION = 1

/** Whether a field that the server refused is one that step 2 can show as wrong. */
export const isOnDetailsStep = (field: string) => field !== 'images' && field in EMPTY_DETAILS

/** The draft with its details changed. A change of the role takes back the acceptances, because each role accepts other terms. */
export function withDetails(draft: ListingDraft, details: ListingDetails): ListingDraft {
  if (details.userRole === draft.details.userRole) return { ...draft, details }
  return { ...draft, details, signature: { ...UNSIGNED, digitalSignature: draft.signature.digitalSignature } }
}

/**
 * What a change makes of a draft. It is another request than the one that was sent, unless nothing is different: a form also reports its values when
 * a field was only left.
 */
export function changedDraft(before: ListingDraft, after: ListingDraft): ListingDraft {
  const { sent, ...unsent } = after
  return !sent || JSON.stringify(after) === JSON.stringify(before) ? after : unsent
}

const hasSame = <T extends object>(a: T, b: T) => (Object.keys(a) as (keyof T)[]).every(name => a[name] === b[name])

/** Whether two drafts hold the same, as far as a person entered it. */
export const isSameDraft = (a: ListingDraft, b: ListingDraft): boolean =>
  a.counterparty === b.counterparty && hasSame(a.details, b.details) && hasSame(a.signature, b.signature)

const LAST_STEP = 2

/** The step to show when the address asks for `asked`, counted from 0. Step 3 needs details without faults. */
export function reachableStep({ details, counterparty }: ListingDraft, asked: number): number {
  if (!(Number.isInteger(asked) && asked >= 0 && asked <= LAST_STEP)) return 0
  if (asked < LAST_STEP) return asked
  return Object.keys(validateDetails(details, counterparty)).length === 0 ? LAST_STEP : LAST_STEP - 1
}

export type DetailErrors = Partial<Record<keyof ListingDetails, string>>

/** What is missing or wrong in the details, by field; empty when one may go on. The server decides again. */
export function validateDetails(
  details: Omit<ListingDetails, 'images'>,
  counterparty: PublicUser | null,
): DetailErrors {
  const lacksSeller = details.userRole === 'buyer' && !counterparty
  return {
    ...(lacksSeller ? { userRole: 'Choose the seller first: as a buyer you need a counterparty.' } : {}),
    ...validateItem(details),
  }
}

type Payload = Extract<CreateListing, object>

/**
 * The request that creates the listing (spec section 3).
 *
 * @param signedAt the moment of signing
 */
export function payloadOf(
  details: ListingDetails,
  signature: Signature,
  people: { readonly userId: string; readonly counterparty: PublicUser | null },
  signedAt: Date,
) {
  const counterpartyId = people.counterparty?.id ?? null
  const isSeller = details.userRole === 'seller'
  return {
    ...itemPayloadOf(details),
    userRole: details.userRole,
    isPrivate: details.isPrivate,
    images: [...details.images],
    legalAcceptance: acceptanceOf(signature, signedAt),
    sellerId: isSeller ? people.userId : counterpartyId,
    buyerId: isSeller ? counterpartyId : people.userId,
    selectedUserId: counterpartyId,
  } satisfies Payload
}
