import { CreateListing } from '@holdfast/contracts/listings'
import { isSigned, UNSIGNED } from '../listings/shared/agreements.js'
import {
  EMPTY_DETAILS,
  EMPTY_DRAFT,
  type ListingDetails,
  payloadOf,
  validateDetails,
  withDetails,
} from './listing-draft.js'

const ME = '01900000-0000-7000-8000-000000000001'
const ana = {
  id: '01900000-0000-7000-8000-000000000002',
  firstName: 'Ana',
  lastName: 'Ruiz',
  username: 'ana',
  isVerified: true,
  rating: null,
  profileImageUrl: null,
}
const complete: ListingDetails = {
  ...EMPTY_DETAILS,
  title: ' Chair ',
  description: 'Oak',
  price: '1240.50',
  category: 'Home & Garden',
  condition: 'Good',
}
const signed = {
  termsAccepted: true,
  escrowAgreement: true,
  harmlessClause: true,
  digitalSignature: ' Ben Okafor ',
}

describe('the details', () => {
  test('name every field that is missing', () => {
    expect(Object.keys(validateDetails(EMPTY_DETAILS, null))).toEqual([
      'title',
      'description',
      'price',
      'category',
      'condition',
    ])
  })

  test('take a price above zero with at most two decimals, not absurd', () => {
    for (const price of ['0.01', '1240.5', '1240.50', '1,240', '$1,240.50']) {
      expect(validateDetails({ ...complete, price }, null)).toEqual({})
    }
    for (const price of ['0', '0.00', '-1', '1.005', 'abc', '1e3', '99999999999999']) {
      expect(validateDetails({ ...complete, price }, null)).toHaveProperty('price')
    }
  })

  test.each([
    ['12,50', 'If you mean $12.50, write 12.50.'],
    ['1.240,50', 'If you mean $1,240.50, write 1,240.50.'],
    ['1.000', 'This can be read as $1.00 or as $1,000.00. Write 1.00 or 1,000.00.'],
  ])('refuse the price %s and say how it is written', (price, words) => {
    expect(validateDetails({ ...complete, price }, null).price).toBe(words)
  })

  test('ask a buyer for the seller', () => {
    expect(validateDetails({ ...complete, userRole: 'buyer' }, null)).toHaveProperty('userRole')
    expect(validateDetails({ ...complete, userRole: 'buyer' }, ana)).toEqual({})
  })
})

test('nothing can be created before all three agreements are accepted and a name is typed', () => {
  expect(isSigned(signed)).toBe(true)
  expect(isSigned(UNSIGNED)).toBe(false)
  expect(isSigned({ ...signed, harmlessClause: false })).toBe(false)
  expect(isSigned({ ...signed, digitalSignature: '   ' })).toBe(false)
})

test('changing the role takes back the acceptances; changing the price does not', () => {
  const draft = { ...EMPTY_DRAFT, details: complete, signature: signed }
  expect(withDetails(draft, { ...complete, price: '9' })).toEqual({
    ...draft,
    details: { ...complete, price: '9' },
  })
  expect(withDetails(draft, { ...complete, userRole: 'buyer' }).signature).toEqual({
    ...UNSIGNED,
    digitalSignature: signed.digitalSignature,
  })
})

describe('the payload', () => {
  const at = new Date('2026-11-30T14:00:00.000Z')

  test('is what the contract accepts, with the moment of signing', () => {
    const payload = payloadOf(complete, signed, { userId: ME, counterparty: null }, at)
    expect(CreateListing.parse(payload)).toMatchObject({
      title: 'Chair',
      sellerId: ME,
      buyerId: null,
      selectedUserId: null,
      legalAcceptance: { digitalSignature: 'Ben Okafor', signatureDate: '2026-11-30T14:00:00.000Z' },
    })
  })

  test('puts the chosen user on the other side of one’s own role', () => {
    const payload = payloadOf({ ...complete, userRole: 'buyer' }, signed, { userId: ME, counterparty: ana }, at)
    expect(payload).toMatchObject({ buyerId: ME, sellerId: ana.id, selectedUserId: ana.id })
  })
})
