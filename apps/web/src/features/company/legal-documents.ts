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
      'You give true information about yourself, keep your password to yourself and are answerable for what is done with your account. Verification of identity is required for all users before they are paid out. Until then you can buy and sell, and what you earn stays on your balance.',
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
      'You may close your account on your profile when none of your transactions, disputes, refunds and payouts is under way and your balance is zero. We may suspend accounts that break these terms; money that is held stays held and is settled as agreed.',
    ],
  },
]

export const PRIVACY: readonly LegalSection[] = [
  {
    title: 'What we keep',
    items: [
      'What you tell us: name, username, e-mail, telephone number, whom you save or block, what you want to be told, and what you write to us.',
      'What you do here: listings with their pictures, signatures, invitations, transactions, messages, reviews, disputes with their evidence, and every posting of money.',
      'What proves your identity: pictures of a document and of your face. They are encrypted.',
      'What keeps accounts safe: sessions, the network addresses and browsers they came from, times of signing in, and second factors.',
    ],
  },
  {
    title: 'Why, and for how long',
    paragraphs: [
      'To carry out your transactions, to settle disputes and because the law asks it of businesses that hold money for others. What is below stays no longer than it says; everything else stays until you close your account.',
    ],
    items: [
      'Pictures that prove your identity: some days after the decision about them.',
      'Sessions that have ended: 90 days. Mails that we have sent: 30 days. What you write to us: two years after our answer. Records of what the parts of our service tell each other: 15 days at most. Answers to repeated requests: 7 days.',
      'The books of payments, and the terms and signatures of transactions: at least ten years after the end of the transaction, also when you close your account.',
    ],
  },
  {
    id: 'erasure',
    title: 'Your data are yours',
    paragraphs: [
      'On your profile you can export everything that we keep about you, as a file, and close your account. Closing erases you: your name, addresses, contacts, settings, notifications, letters to us and identity documents are gone within minutes, and listings without a transaction with them. Records that are deleted after days, as above, follow in their time. Your username is kept as a hash alone, so that nobody else gets it.',
      'These stay: the books, what you wrote in chats and disputes, and reviews, all without your name; and the terms of your transactions with what you signed, which has the name that you signed with. The other party needs them, and a bank can dispute a payment long after it. If you cannot sign in, write to us.',
    ],
  },
  {
    title: 'Who sees it',
    paragraphs: [
      'Everybody can see your name, username, rating, reviews and public listings. The other party of a deal sees your e-mail once you have paid or shipped. Mediators see what belongs to a dispute. Our staff see the documents that prove your identity while they review them, say why, and are recorded. Payment providers and carriers get what they need for their part.',
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies',
    paragraphs: [
      'One cookie keeps you signed in. Another one tells us that you have signed in with this browser before, so that strangers who guess at your password cannot lock you out; a third one lasts for the minutes of signing in with a second factor. On the page of a payment the payment provider may set cookies of its own, against fraud. Nothing here follows you to other sites. What you have typed and not sent yet, and the colour scheme you choose, are remembered in your browser alone.',
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
      'Silence without a delivery never releases money. Nobody moves their own deadline by filing a dispute. Every hold is settled exactly once.',
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
    items: ['Every payment and release on record', 'Identity verification (KYC) before anything is paid out'],
  },
  {
    title: 'Data protection',
    items: [
      'No tracking and no advertising',
      'The record of where you are signed in, and a way to end it',
      'An export of your own data, and their erasure when you close your account',
      'Chats and identity documents are encrypted where they are stored',
    ],
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
