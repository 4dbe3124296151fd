import { changeable, mayRead, readable } from './access.js'

const open = {
  isPrivate: false,
  sellerId: 'seller',
  counterpartyId: null,
  createdBy: 'seller',
  status: 'active',
} as const
const hidden = { ...open, isPrivate: true }
const forBuyer = { ...hidden, counterpartyId: 'buyer' }
const byBuyer = { ...hidden, counterpartyId: 'seller', createdBy: 'buyer' }

describe('who may see a listing', () => {
  it.each([
    ['a public one: everyone', open, ['seller', 'buyer', 'stranger', null]],
    ['a private one: its seller', hidden, ['seller']],
    ['one made for a buyer: seller and buyer', forBuyer, ['seller', 'buyer']],
    ['one made by a buyer: seller and buyer', byBuyer, ['seller', 'buyer']],
  ])('%s', (_, listing, allowed) => {
    const viewers = ['seller', 'buyer', 'stranger', null]
    expect(viewers.filter(viewer => mayRead(listing, viewer))).toEqual(allowed)
  })

  it('others are refused as for an unknown listing', () => {
    for (const listing of [hidden, null]) {
      expect(() => readable(listing, 'stranger')).toThrow(expect.objectContaining({ code: 'LISTING_NOT_FOUND' }))
    }
  })
})

describe('who may change a listing', () => {
  it.each([
    ['its owner', open, 'seller', null],
    ['its owner, when it is off sale', { ...open, status: 'inactive' as const }, 'seller', null],
    ['no user, while it is reserved', { ...open, status: 'reserved' as const }, 'seller', 'LISTING_IN_DEAL'],
    ['no user, once it is sold', { ...open, status: 'sold' as const }, 'seller', 'LISTING_IN_DEAL'],
    ['not a user who may only see it', forBuyer, 'buyer', 'FORBIDDEN'],
    ['not the buyer who made it', byBuyer, 'buyer', 'FORBIDDEN'],
    ['not a user who may not see it', hidden, 'stranger', 'LISTING_NOT_FOUND'],
  ])('%s', (_, listing, userId, code) => {
    if (code === null) expect(changeable(listing, userId)).toBe(listing)
    else expect(() => changeable(listing, userId)).toThrow(expect.objectContaining({ code }))
  })
})
