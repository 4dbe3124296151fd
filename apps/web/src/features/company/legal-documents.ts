import { COMPLIANCE_EMAIL, LEGAL_EMAIL, PRIVACY_EMAIL } from '../../lib/contact.js'
import { HELD_BY, operator } from '../../lib/operator.js'
import { FEES_SENTENCE } from '../plans/shared/plan-words.js'

export interface LegalSection {
  readonly id?: string
  readonly title: string
  readonly paragraphs?: readonly string[]
  readonly items?: readonly string[]
}

export const TERMS: readonly LegalSection[] = [
  {
    title: 'The service',
    paragraphs: [
      "Holdfast is a marketplace and an escrow service. It holds a buyer's payment until the item has been delivered and accepted, the inspection period has ended, or a mediator has decided. It is no party to the sale.",
    ],
  },
  {
    title: 'Your account',
    paragraphs: [
      'You give true information about yourself, keep your password to yourself and are answerable for what is done with your account. Verification of identity is required for all users, and money is paid out only to verified sellers.',
    ],
  },
  {
    title: 'Fees',
    paragraphs: [
      `${FEES_SENTENCE} Paying by card adds a surcharge for the buyer. The payment page states the whole total before you pay. Fees are taken once, when money moves.`,
    ],
  },
  {
    title: 'Terms of a transaction',
    paragraphs: [
      'The terms of a transaction are those of the listing at the moment it opens. They are kept with a version and a hash, and both parties accept them: by signature at creation, otherwise by paying and by shipping.',
    ],
  },
  {
    title: 'Ending',
    paragraphs: [
      'You may close your account when none of your transactions is under way. We may suspend accounts that break these terms; money that is held stays held and is settled as agreed.',
    ],
  },
]

export const PRIVACY: readonly LegalSection[] = [
  {
    title: 'What we keep',
    items: [
      'What you tell us: name, username, e-mail, telephone number.',
      'What you do here: listings, transactions, messages, disputes, and every posting of money.',
      'What keeps accounts safe: sessions, addresses they came from, times of signing in.',
    ],
  },
  {
    title: 'Why, and for how long',
    paragraphs: [
      'To carry out your transactions, to settle disputes and because the law asks it of businesses that hold money for others. Records of money are kept as long as the law demands; the rest goes when your account does.',
    ],
  },
  {
    title: 'Who sees it',
    paragraphs: [
      'The other party of a deal sees your name, username, e-mail and rating. Mediators see what belongs to a dispute. Payment providers and carriers get what they need for their part. Documents for verification are kept encrypted; only who reviews them sees them.',
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies',
    paragraphs: [
      'Two cookies: one keeps you signed in, and one says that this browser has signed in before, so that nobody can lock you out by guessing. Nothing here follows you to other sites. The colour scheme you choose is remembered in your browser alone.',
    ],
  },
]

export const ESCROW: readonly LegalSection[] = [
  {
    title: 'The hold',
    paragraphs: [
      `A payment is held for one transaction by ${HELD_BY}. While it is held, neither the seller, nor the buyer, nor we may use it.`,
    ],
  },
  {
    title: 'Release',
    items: [
      'The buyer accepts the item.',
      'The inspection period ends without a dispute.',
      'A ruling becomes final, or both parties agree on a settlement.',
    ],
  },
  {
    title: 'Return to the buyer',
    items: [
      'Nothing is shipped within 7 days of payment.',
      'The seller refunds of their own will.',
      'A ruling or a settlement says so, in full or in part.',
    ],
  },
  {
    title: 'What never happens',
    paragraphs: [
      'Silence without a delivery never releases money. A dispute stops every clock. Every hold is settled exactly once.',
    ],
  },
]

export const DISPUTE_POLICY: readonly LegalSection[] = [
  {
    title: 'Filing',
    paragraphs: [
      'Either party may file a dispute while the money is held. The transaction is placed on hold until resolution.',
    ],
  },
  {
    title: 'Timeline',
    items: [
      'Initial review: 24-48 hours',
      'Investigation: 5-10 business days',
      'Final resolution: within 14 days',
      'Appeal: within 7 days of the decision',
    ],
  },
  {
    title: 'Outcomes',
    items: [
      'Full refund to the buyer',
      'Partial refund, to the cent',
      'Decision in favor of the seller',
      'Return or exchange of the item',
    ],
  },
  {
    title: 'Appeal',
    paragraphs: ['A ruling can be appealed once, within 7 days. Until it is final, the money stays where it is.'],
  },
]

/** What the product keeps by its construction, in four groups, and below them what the operator had audited. */
export const STANDARDS: readonly { readonly title: string; readonly items: readonly string[] }[] = [
  {
    title: 'Financial',
    items: ['Double-entry records that are never changed', `Held money is held by ${HELD_BY}`],
  },
  {
    title: 'Anti-money-laundering',
    items: ['Every payment and release on record', 'Identity verification (KYC) before any payout'],
  },
  {
    title: 'Data protection',
    items: ['No tracking and no advertising', 'The record of where you are signed in, and a way to end it'],
  },
  {
    title: 'Security',
    items: ['Card numbers go to the payment provider only', ...operator.auditedStandards],
  },
]

export const PROHIBITED_ITEMS = [
  'Illegal substances',
  'Counterfeit goods',
  'Stolen items',
  'Adult content',
  'Hazardous materials',
  'Prescription drugs',
] as const

export const LEGAL_CONTACTS = [
  { label: 'Legal', email: LEGAL_EMAIL },
  { label: 'Data protection', email: PRIVACY_EMAIL },
  { label: 'Compliance', email: COMPLIANCE_EMAIL },
] as const
