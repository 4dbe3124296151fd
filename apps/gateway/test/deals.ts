import type { CreateListing, Listing } from '@holdfast/contracts/listings'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import type { PartyUser, PublicUser } from '@holdfast/contracts/users'
import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { newId } from '@holdfast/kernel/ids'
import type { z } from 'zod'
import type { FakeServices } from './fake-services.js'

const AT = '2026-11-21T10:00:00.000Z'

export const aPerson = (firstName: string): PartyUser => ({
  id: newId(),
  firstName,
  lastName: 'Doe',
  username: firstName.toLowerCase(),
  isVerified: true,
  rating: null,
  profileImageUrl: null,
  email: `${firstName.toLowerCase()}@example.com`,
  emailConfirmed: true,
})

export const someTerms = (changes: Partial<ListingTerms> = {}): ListingTerms => ({
  listingId: 3,
  sellerId: newId(),
  title: 'A watch',
  description: 'Ticks.',
  price: '120.50',
  currency: 'USD',
  category: 'Watches',
  condition: 'Good',
  location: null,
  images: [],
  inspectionDays: 3,
  returnPolicy: 'no-returns',
  status: 'active',
  agreementsVersion: AGREEMENTS_VERSION,
  signedBy: 'seller',
  signedAt: AT,
  signedHash: 'a'.repeat(64),
  deal: null,
  ...changes,
})

export const aRecord = (changes: Partial<TransactionRecord> = {}): TransactionRecord => ({
  id: 7,
  listingId: 3,
  buyerId: newId(),
  sellerId: newId(),
  amount: '120.50',
  currency: 'USD',
  status: 'pending',
  sellerAccepted: true,
  createdAt: AT,
  updatedAt: AT,
  listing: {
    id: 3,
    title: 'A watch',
    description: 'Ticks.',
    price: '120.50',
    currency: 'USD',
    category: 'Watches',
    condition: 'Good',
    location: null,
    images: [],
    returnPolicy: 'no-returns',
    inspectionPeriod: 3,
  },
  trackingNumber: null,
  carrier: null,
  expectedDelivery: null,
  viewerRole: 'buyer',
  openedBy: 'buyer',
  actions: ['pay', 'cancel'],
  turn: 'buyer',
  clock: null,
  reached: [{ status: 'pending', at: AT }],
  money: {
    buyerFee: '7.41',
    buyerTotal: '127.91',
    sellerFee: '1.81',
    sellerNet: '118.69',
    held: '0.00',
    released: '0.00',
    refunded: '0.00',
    chargedBack: '0.00',
  },
  completesOnDelivery: false,
  paymentProcessing: false,
  forcedRefund: null,
  clockAfterDispute: null,
  waitsForBank: false,
  chargeback: null,
  refund: null,
  ...changes,
})

/** What the create-listing screen sends. */
export const aListingForm = (changes: Partial<z.input<typeof CreateListing>> = {}): z.input<typeof CreateListing> => ({
  title: 'A watch',
  description: 'Ticks.',
  price: '120.50',
  category: 'Watches',
  condition: 'Good',
  inspectionPeriod: 3,
  legalAcceptance: {
    termsAccepted: true,
    escrowAgreement: true,
    harmlessClause: true,
    digitalSignature: 'Ben Doe',
    signatureDate: AT,
  },
  ...changes,
})

export const aListing = (seller: PublicUser): Listing => ({
  id: 3,
  title: 'A watch',
  description: 'Ticks.',
  price: '120.50',
  currency: 'USD',
  category: 'Watches',
  condition: 'Good',
  location: null,
  status: 'active',
  isPrivate: false,
  sellerId: seller.id,
  seller,
  escrowDays: 3,
  inspectionPeriod: 3,
  returnPolicy: 'no-returns',
  images: [],
  createdAt: AT,
  relistedAs: null,
})

/** Lets identity-svc know these people. */
export function answerPeople(services: FakeServices, people: readonly PartyUser[]): void {
  services.on('identity-svc', 'POST', '/internal/users/lookup', ({ body }) => {
    const { ids } = JSON.parse(body.toString()) as { ids: string[] }
    return people.filter(({ id }) => ids.includes(id))
  })
}
