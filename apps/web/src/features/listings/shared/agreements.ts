import type { PartyRole } from '@holdfast/kernel/deals'

/** What a user accepts and types to sign the agreements. */
export interface Signature {
  readonly termsAccepted: boolean
  readonly escrowAgreement: boolean
  readonly harmlessClause: boolean
  readonly digitalSignature: string
}

export const UNSIGNED: Signature = {
  termsAccepted: false,
  escrowAgreement: false,
  harmlessClause: false,
  digitalSignature: '',
}

/** Whether all three agreements are accepted and a name is typed. */
export const isSigned = (signature: Signature): boolean =>
  signature.termsAccepted &&
  signature.escrowAgreement &&
  signature.harmlessClause &&
  signature.digitalSignature.trim() !== ''

/** What is said at the signature while something of it is missing. */
export const NOT_SIGNED = 'Accept the three agreements and type your full legal name'

/** The field `legalAcceptance` of a request, from a signature that is complete (`isSigned`). */
export const acceptanceOf = (signature: Signature, signedAt: Date) =>
  ({
    termsAccepted: true,
    escrowAgreement: true,
    harmlessClause: true,
    digitalSignature: signature.digitalSignature.trim(),
    signatureDate: signedAt.toISOString(),
  }) as const

interface Agreement {
  readonly field: Exclude<keyof Signature, 'digitalSignature'>
  readonly title: string
  readonly clauses: readonly string[]
  readonly consent: string
}

/** What each side says of the item; only the seller can answer for it. */
const ITEM_CLAUSES: Record<PartyRole, string> = {
  seller: 'I describe the item truthfully and may lawfully sell it. Prohibited items are not offered.',
  buyer:
    'I describe the item as the seller offers it to me and may lawfully buy it. Prohibited items are not asked for.',
}

/**
 * The wording that a user signs in their role; `AGREEMENTS_VERSION` in the kernel names it and changes with it.
 */
export const agreementsFor = (role: PartyRole): readonly Agreement[] => [
  {
    field: 'termsAccepted',
    title: 'Terms and Conditions',
    clauses: [
      ITEM_CLAUSES[role],
      'The terms of a transaction are those shown when it opens; a listing edited later changes nothing in it.',
      "The seller's fee is taken from the price when the funds are released. The buyer sees every fee before paying.",
    ],
    consent: 'I have read and accept the terms and conditions',
  },
  {
    field: 'escrowAgreement',
    title: 'Escrow Agreement',
    clauses: [
      "The buyer's payment is held for this one transaction. Until it is released or refunded, neither side may use it, and neither may we.",
      'It is released when the buyer accepts the item, when the inspection period ends without a dispute, or by a ruling.',
      'Nothing shipped within 7 days of payment is refunded in full. A dispute keeps the money held, and does not move the deadlines of whoever filed it.',
    ],
    consent: 'I have read and accept the escrow agreement',
  },
  {
    field: 'harmlessClause',
    title: 'Hold-Harmless Agreement',
    clauses: [
      'Holdfast is no party to the sale and answers neither for the item nor for the conduct of the other side.',
      'I hold Holdfast harmless from claims that arise out of the item, save where Holdfast itself is at fault.',
    ],
    consent: 'I have read and accept the hold-harmless agreement',
  },
]
