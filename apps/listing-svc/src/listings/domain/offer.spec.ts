import { partiesOf } from './listing.js'
import { decideOffer } from './offer.js'

const asked = (userRole: 'buyer' | 'seller', isPrivate = false) => ({ userRole, isPrivate })

describe('a new listing', () => {
  it.each([
    ['a seller’s own', asked('seller'), null, { sellerId: 'me', counterpartyId: null, isPrivate: false }],
    ['a seller’s own, private', asked('seller', true), null, { sellerId: 'me', counterpartyId: null, isPrivate: true }],
    ['for a buyer', asked('seller'), 'you', { sellerId: 'me', counterpartyId: 'you', isPrivate: true }],
    ['by a buyer', asked('buyer'), 'you', { sellerId: 'you', counterpartyId: 'you', isPrivate: true }],
  ])('%s', (_, role, counterparty, expected) => {
    const offer = decideOffer(role, 'me', counterparty)
    expect(offer).toEqual({ ...expected, signedAs: role.userRole })
    const parties = counterparty && { sellerId: expected.sellerId, buyerId: expected.sellerId === 'me' ? 'you' : 'me' }
    expect(partiesOf({ ...offer, createdBy: 'me' })).toEqual(parties)
  })

  it('needs a counterparty when a buyer creates it', () => {
    expect(() => decideOffer(asked('buyer'), 'me', null)).toThrow(
      expect.objectContaining({ code: 'COUNTERPARTY_REQUIRED' }),
    )
  })

  it('is refused with its creator as the counterparty', () => {
    for (const role of ['buyer', 'seller'] as const) {
      expect(() => decideOffer(asked(role), 'me', 'me')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
  })
})
