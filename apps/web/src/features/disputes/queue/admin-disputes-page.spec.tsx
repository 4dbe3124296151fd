import type { QueuedDispute } from '@holdfast/contracts/disputes'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { DUE_AT, listed } from '../../../../test/disputes.js'
import { fakeServer } from '../../../../test/fake-server.js'
import { ana, ben, mediator, publicBen } from '../../../../test/people.js'
import { showRoutes } from '../../../../test/show.js'
import { consoleRoutes } from '../../../app/router.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  window.scrollTo = () => undefined
})

const queued = (change: Partial<QueuedDispute> = {}): QueuedDispute => ({
  ...listed(),
  title: 'Oak chair',
  held: '107.00',
  currency: 'USD',
  turn: 'mediator',
  proposedTo: null,
  dueAt: DUE_AT,
  isEscalated: false,
  waitsForApproval: false,
  takenBy: null,
  mediatorId: null,
  mediator: null,
  buyer: publicBen,
  seller: ana,
  ...change,
})

function open(disputes: readonly QueuedDispute[], user = mediator, address = '/admin/disputes') {
  const asked: string[] = []
  fakeServer({
    'GET /api/auth/user': () => ({ body: user }),
    'GET /api/admin/disputes': ({ query }) => {
      asked.push(query.toString())
      return { body: disputes }
    },
  })
  showRoutes([consoleRoutes], address)
  return asked
}

test('the queue says whose turn it is, and marks what is late', async () => {
  open([
    queued({ id: 6, title: 'Late lamp', isEscalated: true, dueAt: '2026-11-01T10:00:00.000Z' }),
    queued({ turn: 'seller' }),
  ])
  expect(await screen.findByRole('link', { name: /Late lamp.*Late.*A mediator’s turn.*Due since/ })).toBeTruthy()
  expect(
    screen.getByRole('link', { name: /Oak chair.*#5, Ben bought from Ana, Other.*The seller’s turn.*Next limit in / }),
  ).toBeTruthy()
})

test('the queue says what is held of each deal, which may be less than its price', async () => {
  open([
    queued({ id: 6, title: 'Late lamp', held: '77.00' }),
    queued({ id: 7, title: 'Lost desk', held: '0.00' }),
    queued({ held: null }),
  ])
  expect(await screen.findByRole('link', { name: /Late lamp.*Held \$77\.00/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: /Lost desk.*Nothing held/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: /Oak chair.*Held amount not known/ })).toBeTruthy()
})

test('the queue says who has taken a case', async () => {
  open([
    queued({ id: 6, title: 'Late lamp', takenBy: 'reader', mediatorId: publicBen.id, mediator: publicBen }),
    queued({ takenBy: 'other', mediatorId: ana.id, mediator: { ...ana, firstName: 'Noor' } }),
  ])
  expect(await screen.findByRole('link', { name: /Late lamp.*Taken by you.*Your turn/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: /Oak chair.*Taken by Noor.*Noor’s turn/ })).toBeTruthy()
})

test('the queue says of a closed dispute that it is closed, and nothing about a turn', async () => {
  open([queued({ status: 'closed', turn: 'none', clocks: [], dueAt: null, held: '0.00' })])
  const { textContent } = await screen.findByRole('link', { name: /Oak chair.*Closed.*Nothing held/ })
  expect(textContent).not.toContain('carried out')
})

test('the keyboard alone leads through the rows and opens a case', async () => {
  open([queued({ id: 6, title: 'Late lamp' }), queued()])
  const first = await screen.findByRole('link', { name: /Late lamp/ })
  await userEvent.keyboard('j')
  await waitFor(() => expect(document.activeElement).toBe(first))
  await userEvent.keyboard('{ArrowDown}{ArrowDown}k')
  await waitFor(() => expect(document.activeElement).toBe(first))
  await userEvent.keyboard('j{Enter}')
  expect(await screen.findByText('At /disputes/5')).toBeTruthy()
})

test('the queue shows one status when it is asked for', async () => {
  const asked = open([], mediator, '/admin/disputes?status=resolved')
  expect(await screen.findByText('No disputes')).toBeTruthy()
  expect(asked).toEqual(['limit=100&status=resolved'])
})

test('the page does not exist for a user who is no admin', async () => {
  const asked = open([], ben)
  expect(await screen.findByText('Page Not Found')).toBeTruthy()
  expect(asked).toEqual([])
})
