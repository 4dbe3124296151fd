import { decideChange, decideWithdrawal } from './change.js'
import type { ListingState } from './listing.js'

const listing: ListingState = {
  id: 1,
  version: 3,
  title: 'A lamp',
  description: 'It shines.',
  priceMinor: 12_050n,
  currency: 'USD',
  category: 'Art',
  condition: 'Good',
  location: null,
  status: 'active',
  isPrivate: false,
  sellerId: 'seller',
  counterpartyId: null,
  createdBy: 'seller',
  inspectionDays: 3,
  returnPolicy: 'no-returns',
  imageHashes: ['aa', 'bb'],
  withdrawn: false,
  transactionId: null,
  relistedAs: null,
  itemId: null,
  signedBySeller: true,
}
const SIGNED = { digitalSignature: 'Ana Test' }
const decided = (asked: Parameters<typeof decideChange>[1], of = listing) => decideChange(of, asked, 'seller', null)
const change = (asked: Parameters<typeof decideChange>[1], of = listing) =>
  decided({ ...SIGNED, ...asked }, of)?.listing ?? null

describe('changing a listing', () => {
  it('changes only the requested fields', () => {
    expect(change({ price: '99.9', inspectionPeriod: 7, title: 'A red lamp' })).toEqual({
      ...listing,
      priceMinor: 9_990n,
      inspectionDays: 7,
      title: 'A red lamp',
    })
  })

  it.each([
    {},
    { title: undefined, images: undefined },
    { title: 'A lamp', price: '120.50', location: '', isPrivate: false, status: 'active' as const },
    { images: ['/api/images/aa', '/api/images/bb'] },
  ])('to its present values (%j) is no change', asked => {
    expect(change(asked)).toBeNull()
  })

  it('distinguishes the location "null" from a missing location', () => {
    expect(change({ location: 'null' })?.location).toBe('null')
    expect(change({ location: null }, { ...listing, location: 'null' })?.location).toBeNull()
  })

  it('puts pictures in the requested order', () => {
    expect(change({ images: ['/api/images/bb', 'cc', '/api/images/aa'] })?.imageHashes).toEqual(['bb', 'cc', 'aa'])
    expect(change({ images: [] })?.imageHashes).toEqual([])
  })

  it('refuses a picture of another listing, and names the field', () => {
    expect(() => change({ images: ['cc', '/api/images/dd'] })).toThrow(
      expect.objectContaining({ details: { fields: { 'images.1': expect.any(String) } } }),
    )
  })

  it('records that its owner took it off sale until they offer it again', () => {
    const withdrawn = decideWithdrawal(listing, 'seller')
    expect(withdrawn?.listing).toMatchObject({ status: 'inactive', withdrawn: true })
    expect(decideWithdrawal(withdrawn!.listing, 'seller')).toBeNull()
    expect(change({ status: 'active' }, withdrawn!.listing)).toMatchObject({ status: 'active', withdrawn: false })
  })

  it('refuses an owner who has seen an older version', () => {
    expect(() => decideChange(listing, { title: 'x', ...SIGNED }, 'seller', 2)).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    )
    expect(decideChange(listing, { title: 'x', ...SIGNED }, 'seller', 3)?.listing.title).toBe('x')
  })

  it('accepts a change again that was made already, although the version is another since', () => {
    const changed = decideChange(listing, { title: 'x', ...SIGNED }, 'seller', 3)!.listing
    expect(decideChange({ ...changed, version: 4 }, { title: 'x', ...SIGNED }, 'seller', 3)).toBeNull()
  })

  it('keeps a listing made for one user private', () => {
    const theirs = { ...listing, isPrivate: true, counterpartyId: 'buyer' }
    expect(() => change({ isPrivate: false }, theirs)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})

describe('a signature', () => {
  const needed = expect.objectContaining({ details: { fields: { digitalSignature: expect.any(String) } } })

  it.each([
    { title: 'A red lamp' },
    { description: 'It does not shine.' },
    { price: '99.90' },
    { category: 'Books' as const },
    { condition: 'Poor' as const },
    { location: 'Berlin' },
    { inspectionPeriod: 7 },
    { returnPolicy: '30-day-return' as const },
    { images: ['/api/images/bb', '/api/images/aa'] },
  ])('is needed for %j, which is a term', asked => {
    expect(() => decided(asked)).toThrow(needed)
    expect(decided({ ...asked, ...SIGNED })).toMatchObject(SIGNED)
  })

  it.each([{ isPrivate: true }, { status: 'inactive' as const }, { isPrivate: true, title: 'A lamp', price: '120.5' }])(
    'is not needed for %j, which changes no term',
    asked => {
      expect(decided(asked)).toMatchObject({ digitalSignature: null })
      expect(decided({ ...asked, ...SIGNED })).toMatchObject({ digitalSignature: null })
    },
  )

  it('is needed to put a listing on sale that its seller has not signed', () => {
    const byBuyer = { ...listing, createdBy: 'buyer', counterpartyId: 'seller', isPrivate: true, signedBySeller: false }
    const off = { ...byBuyer, status: 'inactive' as const }
    expect(() => decided({ status: 'active' }, off)).toThrow(needed)
    expect(decided({ status: 'active', ...SIGNED }, off)).toMatchObject(SIGNED)
    expect(decided({ status: 'active' }, { ...off, signedBySeller: true })).toMatchObject({ digitalSignature: null })
    expect(decided({ status: 'inactive' }, byBuyer)).toMatchObject({ digitalSignature: null })
  })
})
