import type { Transaction } from '@holdfast/contracts/transactions'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { chargeback } from '../../../test/deals.js'
import { fakeServer, noAnswer, refusal } from '../../../test/fake-server.js'
import { message } from '../../../test/messages.js'
import { anaInDeal, ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { pendingTransaction, transaction } from '../../../test/transactions.js'
import { Protected } from '../../app/protected.js'
import DealPage from './transaction-page.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  Element.prototype.scrollTo = () => undefined
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const nothing = () => ({ body: [] })

function showTransaction(shown: Transaction | null, more = {}) {
  const server = fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    ...(shown && { 'GET /api/transactions/42': () => ({ body: shown }) }),
    'GET /api/transactions/42/messages': nothing,
    'GET /api/transactions/42/timeline': nothing,
    'GET /api/transactions/42/ledger': nothing,
    ...more,
  })
  show(
    <Protected>
      <DealPage />
    </Protected>,
    '/transaction/42',
    '/transaction/:id',
  )
  return server
}
const inspected = () => transaction({ status: 'inspection' })
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

describe('what is shown', () => {
  test('a deal that is not one’s own, or is none, is not found', async () => {
    showTransaction(null)
    expect(await screen.findByRole('heading', { name: 'Transaction Not Found' })).toBeTruthy()
    expect(screen.getByText(/doesn't exist or you don't have access to it/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toBeTruthy()
  })

  test('the inspection says until when it runs', async () => {
    showTransaction(inspected())
    const progress = within(await screen.findByRole('region', { name: 'Progress' }))
    expect(progress.getByText(/^Until Tue, Dec 1, /).getAttribute('datetime')).toBe(inspected().clock?.dueAt)
  })

  test('a party whose account is closed can be neither written to nor blocked', async () => {
    const closed = { ...anaInDeal, firstName: 'Closed account', lastName: '', username: '_closed_1', email: null }
    showTransaction(transaction({ status: 'completed', seller: closed }))
    expect(await screen.findByText(/^The seller has closed their account/)).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /^Block/ })).toBeNull()
  })

  test('a deal that is over and whose payment the bank disputes does not say that nothing is left', async () => {
    showTransaction(transaction({ status: 'completed', chargeback: chargeback('open') }))
    expect(await screen.findByText('Your bank asked for $107.00 back on Nov 23, 2026')).toBeTruthy()
    expect(screen.getByText('Your bank looks at the payment')).toBeTruthy()
    expect(screen.getByText('Nothing for you to do right now.')).toBeTruthy()
    expect(screen.queryByText('Nothing is left to do.')).toBeNull()
  })

  test('only what the server allows is offered', async () => {
    showTransaction(pendingTransaction())
    expect((await screen.findByRole('link', { name: 'Send Funds' })).getAttribute('href')).toBe('/send-funds/42')
    expect(screen.getByRole('button', { name: 'Cancel Transaction' })).toBeTruthy()
    for (const name of ['Accept Item', 'Refund in Full', 'Confirm Delivery', 'Hand Over in Person']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
  })

  test('a buyer whose seller has not accepted is offered neither a confirmation nor a dispute, and reads why', async () => {
    showTransaction(transaction({ sellerAccepted: false, actions: [] }))
    expect(await screen.findByText(/^You can confirm the delivery or file a dispute once Ana has shipped/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'File a dispute' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'I Already Have the Item' })).toBeNull()
  })

  test('a seller who was named can accept or decline, and reads what accepts', async () => {
    showTransaction(transaction({ sellerAccepted: false, viewerRole: 'seller' }))
    expect(await screen.findByText(/you have accepted nothing yet/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Decline Transaction' })).toBeTruthy()
    await press('Hand Over in Person')
    expect(
      within(await screen.findByRole('alertdialog')).getByText(/^By this you accept the terms of this transaction/),
    ).toBeTruthy()
  })

  test('an overdue item can still be confirmed by its buyer, and the dispute is explained', async () => {
    showTransaction(transaction({ status: 'disputed', turn: null, clock: null, actions: ['confirm_delivery'] }))
    expect(await screen.findByRole('button', { name: 'Confirm Delivery' })).toBeTruthy()
    expect(screen.getByText(/The item did not arrive in time, so a dispute was opened/)).toBeTruthy()
    expect(await screen.findByRole('link', { name: 'See the dispute' })).toBeTruthy()
  })

  test('a payment that is being confirmed is not asked for again', async () => {
    showTransaction(pendingTransaction({ paymentProcessing: true }))
    expect(await screen.findByRole('link', { name: 'See the Payment' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Send Funds' })).toBeNull()
  })
})

describe('accepting the item', () => {
  test('claims nothing about the money when the answer is lost', async () => {
    showTransaction(inspected(), {
      'POST /api/transactions/42/accept': noAnswer,
    })
    await press('Accept Item')
    await userEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: /^Accept and Release/ }),
    )
    expect(await screen.findByText('We could not tell whether the item was accepted.')).toBeTruthy()
  })

  test('says in cents what happens to the money, and asks the server only after a yes', async () => {
    const accept = jest.fn(() => ({ body: { id: 42, status: 'completed' } }))
    showTransaction(inspected(), { 'POST /api/transactions/42/accept': accept })
    await press('Accept Item')
    const dialog = within(await screen.findByRole('alertdialog'))
    for (const amount of ['$98.50', '$8.50', '$107.00']) expect(dialog.getByText(amount)).toBeTruthy()
    expect(accept).not.toHaveBeenCalled()
    await press('Accept and Release $98.50')
    expect(await screen.findByText('Item accepted')).toBeTruthy()
    expect(screen.getByText('Transaction completed and funds released to seller')).toBeTruthy()
    expect(accept).toHaveBeenCalledTimes(1)
  })

  test('a refusal shows the server’s words', async () => {
    showTransaction(inspected(), {
      'POST /api/transactions/42/accept': () => refusal('ESCROW_WRONG_STATE', 'A dispute has stopped this.'),
    })
    await press('Accept Item')
    await press(/Accept and Release/)
    expect(await screen.findByText('Error accepting item')).toBeTruthy()
    expect(screen.getByText('A dispute has stopped this.')).toBeTruthy()
  })

  test('the focus is back on the button after a no', async () => {
    showTransaction(inspected())
    const button = await screen.findByRole('button', { name: 'Accept Item' })
    await userEvent.click(button)
    await screen.findByRole('alertdialog')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
  })
})

test('the other person is blocked only after a yes', async () => {
  const block = jest.fn(() => ({ status: 204 }))
  showTransaction(transaction(), { 'POST /api/users/blocked': block })
  await press('Block Ana')
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText(/can open no new transaction with you/)).toBeTruthy()
  expect(block).not.toHaveBeenCalled()
  await userEvent.click(dialog.getByRole('button', { name: 'Block Ana' }))
  expect(await screen.findByText('Ana is blocked')).toBeTruthy()
})

test('a refund that the provider confirms meanwhile is shown as sent, and the movements of money are read again', async () => {
  let refund: Transaction['refund'] = 'on_its_way'
  const { calls } = showTransaction(null, {
    'GET /api/transactions/42': () => ({ body: transaction({ status: 'cancelled', turn: null, clock: null, refund }) }),
  })
  const readings = () => calls.filter(call => call === 'GET /api/transactions/42/ledger').length
  expect(await screen.findByText('The refund is on its way')).toBeTruthy()
  await waitFor(() => expect(readings()).toBe(1))
  refund = 'returned'
  expect(await screen.findByText('The refund was sent')).toBeTruthy()
  await waitFor(() => expect(readings()).toBe(2))
})

test('a cancelled deal is left for the dashboard', async () => {
  showTransaction(pendingTransaction(), {
    'DELETE /api/transactions/42': () => ({ body: { id: 42, status: 'cancelled' } }),
  })
  await press('Cancel Transaction')
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel Transaction' }),
  )
  expect(await screen.findByText('At /dashboard')).toBeTruthy()
  expect(screen.getByText('Transaction has been cancelled and removed')).toBeTruthy()
})

describe('the chat', () => {
  const write = async (text: string) => userEvent.type(await screen.findByLabelText('Message to Ana'), text)

  test('sends on Enter, breaks the line on Shift and Enter, and clears the box', async () => {
    const sent: unknown[] = []
    showTransaction(transaction(), {
      'POST /api/transactions/42/messages': ({ body }: { body: unknown }) => {
        sent.push(body)
        return { status: 201, body: message(1, { senderId: ben.id, content: 'a\nb' }) }
      },
    })
    await write('a{Shift>}{Enter}{/Shift}b{Enter}')
    await waitFor(() =>
      expect(sent).toEqual([{ transactionId: 42, senderId: ben.id, content: 'a\nb', isSystem: false }]),
    )
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Message to Ana').value).toBe(''))
  })

  test('keeps what could not be sent', async () => {
    showTransaction(transaction(), {
      'POST /api/transactions/42/messages': () => refusal('RATE_LIMITED', 'Too many messages. Wait a minute.'),
    })
    await write('hello{Enter}')
    expect(await screen.findByText('Failed to send message')).toBeTruthy()
    expect(screen.getByText('Too many messages. Wait a minute.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message to Ana').value).toBe('hello')
  })

  test('says at the box that nothing more can be written, and keeps what was typed', async () => {
    const words = 'You can no longer write to this person about this transaction.'
    showTransaction(transaction(), {
      'POST /api/transactions/42/messages': () => refusal('COUNTERPARTY_UNAVAILABLE', words),
    })
    await write('hello{Enter}')
    const shown = await screen.findByText(words)
    expect(shown.closest('form')?.contains(screen.getByLabelText('Message to Ana'))).toBe(true)
    expect(screen.queryByText('Failed to send message')).toBeNull()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message to Ana').value).toBe('hello')
  })

  test('blank text is not sent', async () => {
    const { calls } = showTransaction(transaction())
    await write('   {Enter}')
    expect(calls.filter(call => call.startsWith('POST'))).toEqual([])
  })
})
