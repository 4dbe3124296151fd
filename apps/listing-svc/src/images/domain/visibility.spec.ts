import { type PictureUse, visibilityFor } from './visibility.js'

const listing = { isPrivate: false, sellerId: 'seller', counterpartyId: null, createdBy: 'seller' }
const use = (changes: Partial<PictureUse> = {}): PictureUse => ({ listing, isShown: true, buyerId: null, ...changes })
const hidden = { ...listing, isPrivate: true }
const forBen = { ...hidden, counterpartyId: 'ben' }

describe('who may see a picture', () => {
  it.each([
    ['of a public listing', [use()], ['public', 'public', 'public', 'public']],
    ['of a private listing', [use({ listing: hidden })], ['private', null, null, null]],
    ['of a listing made for ben', [use({ listing: forBen })], ['private', 'private', null, null]],
    ['removed from a public listing', [use({ isShown: false })], ['private', null, null, null]],
    ['removed, with a deal', [use({ isShown: false, buyerId: 'ben' })], ['private', 'private', null, null]],
    ['removed from a listing made for ben', [use({ listing: forBen, isShown: false })], ['private', null, null, null]],
    ['of a private and a public listing', [use({ listing: hidden }), use()], ['public', 'public', 'public', 'public']],
    ['of no listing', [], [null, null, null, null]],
  ] as const)('%s', (_, uses, expected) => {
    expect(['seller', 'ben', 'stranger', null].map(viewer => visibilityFor(uses, viewer))).toEqual(expected)
  })
})
