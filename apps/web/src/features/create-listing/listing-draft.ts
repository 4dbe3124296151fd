import type { CreateListing } from '@holdfast/contracts/listings'
import type { PublicUser } from '@holdfast/contracts/users'
import {
  type Category,
  type Condition,
  type InspectionDays,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  type ReturnPolicy,
} from '@holdfast/kernel/listings'
import { DEAL_CURRENCY, MAX_AMOUNT_MINOR, parseAmount } from '@holdfast/kernel/money'
import type { PartyRole } from '@holdfast/kernel/transactions'

/** What step 2 asks for, as its fields hold it. */
export interface ListingDetails {
  readonly userRole: PartyRole
  readonly title: string
  readonly description: string
  readonly price: string
  readonly category: Category | ''
  readonly condition: Condition | ''
  readonly location: string
  readonly inspectionPeriod: InspectionDays
  readonly returnPolicy: ReturnPolicy
  readonly isPrivate: boolean
  /** Data URLs, scaled. */
  readonly images: readonly string[]
}

/** What step 3 asks for. */
export interface Signature {
  readonly termsAccepted: boolean
  readonly escrowAgreement: boolean
  readonly harmlessClause: boolean
  readonly digitalSignature: string
}

export const EMPTY_DETAILS: ListingDetails = {
  userRole: 'seller',
  title: '',
  description: '',
  price: '',
  category: '',
  condition: '',
  location: '',
  inspectionPeriod: 0,
  returnPolicy: 'no-returns',
  isPrivate: false,
  images: [],
}

export const UNSIGNED: Signature = {
  termsAccepted: false,
  escrowAgreement: false,
  harmlessClause: false,
  digitalSignature: '',
}

/** What the three steps have gathered. */
export interface ListingDraft {
  readonly counterparty: PublicUser | null
  readonly details: ListingDetails
  readonly signature: Signature
}

export const EMPTY_DRAFT: ListingDraft = { counterparty: null, details: EMPTY_DETAILS, signature: UNSIGNED }

/** The draft with its details changed. What one accepted as the seller, one has not accepted as the buyer. */
export function withDetails(draft: ListingDraft, details: ListingDetails): ListingDraft {
  if (details.userRole === draft.details.userRole) return { ...draft, details }
  return { ...draft, details, signature: { ...UNSIGNED, digitalSignature: draft.signature.digitalSignature } }
}

const LAST_STEP = 2

/** The step to show when the one at `asked`, counted from 0, was asked for: nobody signs what is not filled in. */
export function reachableStep({ details, counterparty }: ListingDraft, asked: number): number {
  if (!(Number.isInteger(asked) && asked >= 0 && asked <= LAST_STEP)) return 0
  if (asked < LAST_STEP) return asked
  return Object.keys(validateDetails(details, counterparty)).length === 0 ? LAST_STEP : LAST_STEP - 1
}

export type DetailErrors = Partial<Record<keyof ListingDetails, string>>

/** What is missing or wrong in the details, by field; empty when one may go on. The server decides again. */
export function validateDetails(details: ListingDetails, counterparty: PublicUser | null): DetailErrors {
  return Object.fromEntries(
    Object.entries({
      userRole:
        details.userRole === 'buyer' && !counterparty
          ? 'Choose the seller first: as a buyer you need a counterparty.'
          : undefined,
      title: textError(details.title, 'Enter a title', MAX_TITLE_LENGTH),
      description: textError(details.description, 'Enter a description', MAX_DESCRIPTION_LENGTH),
      price: priceError(details.price),
      category: details.category === '' ? 'Choose a category' : undefined,
      condition: details.condition === '' ? 'Choose a condition' : undefined,
    }).filter(([, error]) => error !== undefined),
  )
}

function textError(text: string, missing: string, max: number): string | undefined {
  if (text.trim() === '') return missing
  return text.trim().length > max ? `At most ${max} characters` : undefined
}

function priceError(price: string): string | undefined {
  if (price.trim() === '') return 'Enter a price'
  try {
    const minor = parseAmount(price, DEAL_CURRENCY)
    if (minor === 0n) return 'Enter a price above zero'
    return minor > MAX_AMOUNT_MINOR ? 'This price is too high' : undefined
  } catch {
    return 'Enter an amount in dollars with at most two decimals, for example 1240.50'
  }
}

/** All three agreements and a name: only then may the transaction be created. */
export const isSigned = (signature: Signature): boolean =>
  signature.termsAccepted &&
  signature.escrowAgreement &&
  signature.harmlessClause &&
  signature.digitalSignature.trim() !== ''

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
  if (details.category === '' || details.condition === '') throw new Error('the details were not validated')
  const counterpartyId = people.counterparty?.id ?? null
  const isSeller = details.userRole === 'seller'
  return {
    ...details,
    title: details.title.trim(),
    description: details.description.trim(),
    price: details.price.trim(),
    category: details.category,
    condition: details.condition,
    location: details.location.trim() || null,
    images: [...details.images],
    legalAcceptance: {
      termsAccepted: true,
      escrowAgreement: true,
      harmlessClause: true,
      digitalSignature: signature.digitalSignature.trim(),
      signatureDate: signedAt.toISOString(),
    },
    sellerId: isSeller ? people.userId : counterpartyId,
    buyerId: isSeller ? counterpartyId : people.userId,
    selectedUserId: counterpartyId,
  } satisfies Payload
}
