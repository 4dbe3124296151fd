import { decideChange } from './change.js'
import { afterDealStep } from './deal-step.js'
import type { ListingState } from './listing.js'
import { decideRelisting } from './relisting.js'

const returned: ListingState = {
  id: 7,
  version: 3,
  title: 'Lamp',
  description: 'It shines',
  priceMinor: 12050n,
  currency: 'USD',
  category: 'Art',
  condition: 'Good',
  location: 'Bern',
  status: 'inactive',
  isPrivate: false,
  sellerId: 'seller',
  counterpartyId: null,
  createdBy: 'seller',
  inspectionDays: 3,
  returnPolicy: 'no-returns',
  imageHashes: ['a'],
  withdrawn: false,
  transactionId: 1001,
  relistedAs: null,
  itemId: null,
  signedBySeller: true,
}

describe('listing an item again', () => {
  it('makes the same listing, and the old one can never be put on sale again', () => {
    const decided = decideRelisting(returned, 'seller')
    expect(decided).toMatchObject({ made: null, listing: { title: 'Lamp', priceMinor: 12050n, imageHashes: ['a'] } })
    if (decided.made !== null) throw new Error('a listing was made before')
    const origin = { ...decided.origin, relistedAs: 8 }
    expect(() => decideChange(origin, { status: 'active' }, 'seller', null)).toThrow(
      expect.objectContaining({ code: 'LISTING_RELISTED' }),
    )
    const reserved = { ...origin, status: 'reserved' as const }
    expect(afterDealStep(reserved, { transactionId: 1001, name: 'cancelled-unfunded' })?.status).toBe('inactive')
  })

  it('is about the same item, whose newest deal it keeps', () => {
    expect(decideRelisting(returned, 'seller')).toMatchObject({ listing: { itemId: 7, transactionId: 1001 } })
    const second = { ...returned, id: 8, itemId: 7 }
    expect(decideRelisting(second, 'seller')).toMatchObject({ listing: { itemId: 7 } })
  })

  it('answers the listing that was made before', () => {
    expect(decideRelisting({ ...returned, relistedAs: 8 }, 'seller')).toEqual({ made: 8 })
  })

  it('leaves out the user for whom the old one was made, and stays private', () => {
    const theirs = { ...returned, isPrivate: true, counterpartyId: 'seller', createdBy: 'buyer' }
    expect(decideRelisting(theirs, 'seller')).toMatchObject({
      listing: { isPrivate: true, counterpartyId: null, createdBy: 'seller', sellerId: 'seller' },
    })
  })

  it.each<[string, Partial<ListingState>, string, string]>([
    ['that is on sale', { status: 'active' }, 'seller', 'LISTING_ON_SALE'],
    ['in a deal', { status: 'reserved' }, 'seller', 'LISTING_IN_DEAL'],
    ['that is sold', { status: 'sold' }, 'seller', 'LISTING_IN_DEAL'],
    ['of somebody else', {}, 'stranger', 'FORBIDDEN'],
    ['of somebody else that is private', { isPrivate: true }, 'stranger', 'LISTING_NOT_FOUND'],
  ])('is refused for a listing %s', (_, changes, user, code) => {
    expect(() => decideRelisting({ ...returned, ...changes }, user)).toThrow(expect.objectContaining({ code }))
  })
})
