import type { Transaction } from '@holdfast/contracts/transactions'
import { UNKNOWN_OUTCOME_MESSAGE } from '@holdfast/kernel/errors'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { clock, listed } from '../../../test/disputes.js'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { chair } from '../../../test/listings.js'
import { answerPages } from '../../../test/pages.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { pendingTransaction, sale, transaction } from '../../../test/transactions.js'
import { Protected } from '../../app/protected.js'
import DashboardPage from './dashboard-page.js'

const hrefOf = (link: HTMLElement) => link.getAttribute('href')

const SUMMARY = {
  activeSales: 1,
  totalEarnings: '98.50',
  activePurchases: 2,
  totalSpent: '1214.00',
  currency: 'USD',
}

function showDashboard(transactions: readonly Transaction[], more = {}, address = '/') {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/transactions': answerPages(transactions),
    'GET /api/transactions/summary': () => ({ body: SUMMARY }),
    'GET /api/listings': () => ({ body: [] }),
    ...more,
  })
  return show(
    <Protected>
      <DashboardPage />
    </Protected>,
    address,
    '/',
  ).router
}

test('the overview shows the four figures and the way to pay', async () => {
  showDashboard([pendingTransaction()])
  expect(await screen.findByRole('heading', { name: 'Ben Okafor' })).toBeTruthy()
  for (const text of ['Active Sales', 'Total Earnings', '$98.50', 'Active Purchases', 'Total Spent', '$1,214.00']) {
    expect(await screen.findByText(text)).toBeTruthy()
  }
  const pay = screen.getByRole('link', { name: 'Send Funds for Oak chair' })
  expect(pay.getAttribute('href')).toBe('/checkout/42')
  expect(screen.getByRole('link', { name: 'Chat about Oak chair' }).getAttribute('href')).toBe(
    '/transaction/42#messages',
  )
  expect(screen.getByRole('link', { name: 'View Oak chair' }).getAttribute('href')).toBe('/transaction/42')
})

test('a disputed deal says whose turn it is in its dispute, and one call answers for all of them', async () => {
  const deals = [
    transaction({ id: 1, status: 'disputed', turn: null }),
    transaction({ id: 2, status: 'disputed', turn: null }),
  ]
  let calls = 0
  showDashboard(deals, {
    [`GET /api/disputes/user/${ben.id}`]: () => {
      calls++
      const closed = listed({ id: 7, transactionId: 2, status: 'closed', turn: 'none', clocks: [] })
      const clocks = [clock('ruling', 'mediator')]
      const mine = listed({ id: 6, transactionId: 2, turn: 'mediator', proposedTo: 'buyer', clocks })
      return { body: [closed, mine, listed()] }
    },
  })
  expect(await screen.findByText('Your turn: answer Ana’s proposal')).toBeTruthy()
  expect(screen.getByText(/^Ana has until .* to answer$/)).toBeTruthy()
  expect(calls).toBe(1)
})

test('a seller is never invited to pay for a sale', async () => {
  showDashboard([sale({ status: 'pending' })], {}, '/?tab=selling')
  expect(await screen.findByRole('link', { name: 'View Oak chair' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: /Send Funds/ })).toBeNull()
})

test('selling also lists what is not sold yet', async () => {
  const listings = [chair, { ...chair, id: 8, title: 'Sold lamp', status: 'sold' }]
  showDashboard([], { 'GET /api/listings': answerPages(listings) }, '/?tab=selling')
  expect(await screen.findByRole('heading', { name: 'Your Listings' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View listing Oak chair' })).toBeTruthy()
  expect(screen.queryByText('Sold lamp')).toBeNull()
})

test('a seller with more sold listings than fit a page still sees the unsold ones', async () => {
  const sold = Array.from({ length: 60 }, (_, index) => ({ ...chair, id: 100 + index, title: 'Sold', status: 'sold' }))
  showDashboard([], { 'GET /api/listings': answerPages([chair, ...sold]) }, '/?tab=selling')
  expect(await screen.findByRole('link', { name: 'View listing Oak chair' })).toBeTruthy()
})

test('an old sale that waits for the seller stands before newer ones that are over, and the rest comes page by page', async () => {
  const over = Array.from({ length: 5 }, (_, index) => sale({ id: 100 + index, status: 'completed' }))
  const deals = [sale({ id: 1 }), ...over]
  showDashboard(deals, { 'GET /api/transactions': answerPages(deals, 3) }, '/?tab=selling')
  const links = async () => (await screen.findAllByRole('link', { name: 'View Oak chair' })).map(hrefOf)
  await screen.findByRole('button', { name: 'Show more' })
  expect((await links())[0]).toBe('/transaction/1')
  expect(await links()).toHaveLength(4)
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /Show more|Loading/ })).toBeNull())
  expect(await links()).toHaveLength(6)
})

test('sales are searched and filtered by the server, and the address keeps both', async () => {
  const lamp = sale({ id: 7, status: 'completed' })
  const deals = [sale({ id: 1 }), { ...lamp, listing: { ...lamp.listing, title: 'Brass lamp' } }]
  const router = showDashboard(deals, { 'GET /api/transactions': answerPages(deals) }, '/?tab=selling')
  const address = (search: string) => waitFor(() => expect(router.state.location.search).toBe(search))
  await screen.findByRole('link', { name: 'View Brass lamp' })
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search transactions' }), ' lamp ')
  expect(await screen.findByText('1 transaction matches')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'View Oak chair' })).toBeNull()
  await address('?tab=selling&q=lamp')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Disputed')
  expect(await screen.findByRole('heading', { name: 'Nothing matches this search' })).toBeTruthy()
  await address('?tab=selling&q=lamp&status=disputed')
  await userEvent.click(screen.getByRole('button', { name: 'Clear Search and Status' }))
  expect(await screen.findByRole('link', { name: 'View Oak chair' })).toBeTruthy()
  await address('?tab=selling')
})

test('an address with a status leads to the list of that status', async () => {
  const deals = [sale({ id: 1 }), sale({ id: 2, status: 'completed' })]
  showDashboard(deals, { 'GET /api/transactions': answerPages(deals) }, '/?tab=selling&status=previous')
  expect(await screen.findByText('1 transaction matches')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'View Oak chair' }).map(hrefOf)).toEqual(['/transaction/2'])
})

test('every empty list offers the next step', async () => {
  showDashboard([])
  expect(await screen.findByText('No Completed Transactions')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Create Listing' })).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Selling' }))
  expect(await screen.findByText('No Sales Yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'List an Item' })).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Buying' }))
  expect(await screen.findByText('No Purchases Yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Browse Items' })).toBeTruthy()
})

test('a completed deal stands among the previous ones', async () => {
  showDashboard([transaction({ status: 'completed' })])
  expect(await screen.findByRole('heading', { name: 'Previous Transactions' })).toBeTruthy()
  expect(await screen.findByText('Completed')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Active Transactions' })).toBeNull()
})

test('a row shows the viewer’s own amount, not the amount of the hold', async () => {
  showDashboard([transaction({ id: 1 }), sale({ id: 2 }), sale({ id: 3, status: 'pending' })])
  await screen.findByRole('heading', { name: 'Active Transactions' })
  const rows = (await screen.findAllByText(/^You (paid|receive)/)).map(row => row.textContent)
  expect(rows.toSorted()).toEqual(['You paid $107.00', 'You receive $98.50', 'You receive $98.50'])
  expect(screen.queryAllByText('$107.00')).toHaveLength(1)
})

test('a refunded deal stays in the overview', async () => {
  showDashboard([transaction({ status: 'cancelled' })])
  expect(await screen.findByText('Cancelled')).toBeTruthy()
  expect(screen.getByText('You paid, after the refund').textContent).toBe('You paid, after the refund $0.00')
})

test('a part of the product that does not answer is no command whose outcome is unknown', async () => {
  showDashboard([], {
    'GET /api/transactions': () => refusal('UNAVAILABLE', UNKNOWN_OUTCOME_MESSAGE, { outcome: 'unknown' }),
  })
  expect(await screen.findByText(/A part of Holdfast does not answer right now/)).toBeTruthy()
  expect(screen.queryByText(/Idempotency-Key/)).toBeNull()
})

test('a failure shows its message and another try', async () => {
  let broken = true
  showDashboard([], {
    'GET /api/transactions': () => (broken ? refusal('INTERNAL') : { body: [] }),
  })
  expect(await screen.findByRole('heading', { name: 'Error Loading Dashboard' })).toBeTruthy()
  expect(screen.getByText('500: Internal Server Error')).toBeTruthy()
  broken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('No Completed Transactions')).toBeTruthy()
})
