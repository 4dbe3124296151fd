import type { Listing } from '@holdfast/contracts/listings'
import type { CurrentUser } from '@holdfast/contracts/users'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { chair } from '../../../test/listings.js'
import { offerOnly } from '../../../test/payments.js'
import { anaSignedIn, ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { pendingTransaction } from '../../../test/transactions.js'
import ListingPage from './listing-page.js'

const BUY = 'Buy with Escrow Protection'
const signedOut = () => refusal('UNAUTHENTICATED')

function showListing(user: CurrentUser | null, listing: Listing = chair, more = {}) {
  const server = fakeServer({
    'GET /api/auth/user': () => (user ? { body: user } : signedOut()),
    'GET /api/listings/7': () => ({ body: listing }),
    ...more,
  })
  show(<ListingPage />, '/listing/7', '/listing/:id')
  return server
}

describe('what a listing offers', () => {
  test('to a visitor: to sign in, and to come back to it', async () => {
    showListing(null)
    const link = await screen.findByRole('link', { name: 'Sign In to Purchase' })
    expect(link.getAttribute('href')).toBe('/auth?next=%2Flisting%2F7')
  })

  test('to its owner: nothing to buy', async () => {
    showListing(anaSignedIn)
    expect(await screen.findByText('This is your listing')).toBeTruthy()
    expect(screen.queryByRole('button', { name: BUY })).toBeNull()
  })

  test('to everybody, once it is taken: the reason', async () => {
    showListing(ben, { ...chair, status: 'reserved' }, { 'GET /api/transactions': () => ({ body: [] }) })
    expect(await screen.findByText('Another buyer has an open transaction for it.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: BUY })).toBeNull()
  })

  test('to the one who is buying it: the way to the transaction', async () => {
    const mine = { 'GET /api/transactions': () => ({ body: [pendingTransaction()] }) }
    showListing(ben, { ...chair, status: 'reserved' }, mine)
    expect((await screen.findByRole('link', { name: 'View Transaction' })).getAttribute('href')).toBe('/transaction/42')
    expect(screen.queryByText('Another buyer has an open transaction for it.')).toBeNull()
  })

  test('an id that is none is not even asked for', async () => {
    const { calls } = fakeServer({ 'GET /api/auth/user': signedOut })
    show(<ListingPage />, '/listing/abc', '/listing/:id')
    expect(await screen.findByRole('heading', { name: 'Listing Not Found' })).toBeTruthy()
    expect(calls.filter(call => call.includes('listings'))).toEqual([])
  })
})

describe('buying', () => {
  const fees = async () =>
    Array.from((await screen.findByRole('list', { name: /Fees/ })).children, item => item.textContent)

  test('shows the fees of each way to pay before the buyer commits', async () => {
    showListing(ben)
    expect(await fees()).toEqual(['Card: + $29.80', 'Bank: + $18.60', 'Crypto: + $18.60'])
  })

  test('shows no fees of a way to pay that is not offered', async () => {
    offerOnly('card')
    showListing(ben)
    expect(await fees()).toEqual(['Card: + $29.80'])
  })

  test('counts the fees by the buyer’s plan', async () => {
    showListing({ ...ben, plan: 'premium' })
    expect((await fees())[0]).toBe('Card: + $23.60')
  })

  test('opens the deal at the price and under the terms that are shown, and goes on to pay', async () => {
    showListing(ben, chair, {
      'POST /api/transactions': ({ body }: { body: unknown }) => {
        const { title, description, condition, inspectionPeriod, returnPolicy, images } = chair
        const seen = { title, description, condition, inspectionDays: inspectionPeriod, returnPolicy, images }
        expect(body).toEqual({ listingId: 7, buyerId: ben.id, amount: '1240.00', seen })
        return { status: 201, body: pendingTransaction() }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: BUY }))
    expect(await screen.findByText('At /checkout/42')).toBeTruthy()
  })

  test('after a conflict it says that the attempt charged nothing, and shows the listing as it is now', async () => {
    const { calls } = showListing(ben, chair, {
      'POST /api/transactions': () => refusal('LISTING_NOT_AVAILABLE'),
    })
    await userEvent.click(await screen.findByRole('button', { name: BUY }))
    expect(await screen.findByText('This listing is no longer available.')).toBeTruthy()
    expect(screen.getByText('This attempt opened no transaction and charged nothing.')).toBeTruthy()
    expect(await screen.findByText('Failed to start transaction. Please try again.')).toBeTruthy()
    expect(calls.slice(calls.indexOf('POST /api/transactions'))).toContain('GET /api/listings/7')
  })

  test.each([
    ['RATE_LIMITED', 'You have 5 purchases that are not paid yet. Pay or cancel one of them first.'],
    ['COUNTERPARTY_UNAVAILABLE', 'You cannot open a transaction with this person.'],
  ] as const)('says why it is refused: %s', async (code, reason) => {
    showListing(ben, chair, { 'POST /api/transactions': () => refusal(code, reason) })
    await userEvent.click(await screen.findByRole('button', { name: BUY }))
    expect(await screen.findByText(reason)).toBeTruthy()
    expect(screen.getByText('This attempt opened no transaction and charged nothing.')).toBeTruthy()
  })
})
