import type { ListedDispute } from '@holdfast/contracts/disputes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { dispute, listed } from '../../../test/disputes.js'
import { fakeServer } from '../../../test/fake-server.js'
import { answerPages } from '../../../test/pages.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { transaction } from '../../../test/transactions.js'
import { Protected } from '../../app/protected.js'
import DisputesPage from './disputes-page.js'
import FileDisputePage from './file-dispute-page.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  window.scrollTo = () => undefined
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

/** How many deals the server answers at once here. */
const PAGE = 3

/** A deal of long ago that is still shipped, behind more newer ones than fit a page. */
function manyDeals(): Transaction[] {
  const listing = { ...transaction().listing, title: 'Old lamp' }
  const newer = Array.from({ length: PAGE }, (_, index) => transaction({ id: 100 + index, status: 'shipped' }))
  return [transaction({ id: 1, status: 'shipped', listing }), ...newer]
}

function serve(deals: readonly Transaction[], disputes: readonly ListedDispute[] = [], more = {}) {
  const sent: unknown[] = []
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    [`GET /api/disputes/user/${ben.id}`]: () => ({ body: disputes }),
    'GET /api/transactions': answerPages(deals, PAGE),
    ...Object.fromEntries(deals.map(deal => [`GET /api/transactions/${deal.id}`, () => ({ body: deal })])),
    'POST /api/disputes': ({ body }) => {
      sent.push(body)
      return { status: 201, body: dispute() }
    },
    ...more,
  })
  return sent
}

function showPage(page: 'disputes' | 'file-dispute', address = `/${page}`) {
  show(<Protected>{page === 'disputes' ? <DisputesPage /> : <FileDisputePage />}</Protected>, address, `/${page}`)
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('a dispute shows what is held, and says so when nothing is held any more', async () => {
  const deals = [transaction({ id: 1, status: 'disputed' }), transaction({ id: 2, status: 'completed' })]
  serve(deals, [listed(), listed({ id: 6, transactionId: 2, status: 'closed' })])
  show(
    <Protected>
      <DisputesPage />
    </Protected>,
  )
  expect((await screen.findByText('$107.00')).parentElement?.textContent).toBe('Held $107.00')
  expect(await screen.findByText('Nothing is held any more')).toBeTruthy()
  expect(screen.queryByText('$100.00')).toBeNull()
})

describe('the list of disputes', () => {
  test('names the item, however old the deal is', async () => {
    serve(manyDeals(), [listed()])
    showPage('disputes')
    expect(await screen.findByRole('heading', { name: 'Old lamp' })).toBeTruthy()
    expect(screen.getByText('Pending Review')).toBeTruthy()
  })

  test('says whose turn it is, and leads to the case', async () => {
    serve(manyDeals(), [listed()])
    showPage('disputes')
    expect(await screen.findByText(/^Ana has until .* to answer$/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the Case' }).getAttribute('href')).toBe('/disputes/5')
  })

  test('takes a dispute back only after a question', async () => {
    serve(manyDeals(), [listed()], {
      'POST /api/disputes/5/withdraw': () => ({ body: dispute({ status: 'closed' }) }),
    })
    showPage('disputes')
    await press('Withdraw')
    expect(await screen.findByRole('alertdialog', { name: 'Withdraw this dispute?' })).toBeTruthy()
    await press('Withdraw Dispute')
    expect(await screen.findByText('Dispute withdrawn')).toBeTruthy()
  })

  test('offers no withdrawal while the buyer’s bank decides, although only the deal knows that yet', async () => {
    serve([transaction({ id: 1, status: 'disputed', waitsForBank: true })], [listed({ turn: 'seller' })])
    showPage('disputes')
    expect(await screen.findByText('On hold: your bank decides')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
  })

  test('without a deal that can be disputed none can be filed', async () => {
    serve([transaction({ status: 'completed' })])
    showPage('disputes')
    expect(await screen.findByText('No transactions available for dispute')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'File New Dispute' })).toBeNull()
  })
})

describe('filing a dispute', () => {
  test('in the dialog: an old deal is on the next page, and what is missing is said', async () => {
    const sent = serve(manyDeals())
    showPage('disputes')
    await press('File New Dispute')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'File Dispute' }))
    for (const fault of ['Choose the transaction.', 'Choose a reason.', 'Say what happened.']) {
      expect(await dialog.findByText(fault)).toBeTruthy()
    }
    await userEvent.click(dialog.getByRole('button', { name: 'Show more transactions' }))
    const old = await dialog.findByRole('option', { name: 'Old lamp, $107.00 held' })
    await userEvent.selectOptions(dialog.getByLabelText('Transaction'), old)
    await userEvent.selectOptions(dialog.getByLabelText('Reason'), 'Other')
    await userEvent.type(dialog.getByLabelText('Description'), 'It never came.')
    await userEvent.click(dialog.getByRole('button', { name: 'File Dispute' }))
    expect(await screen.findByText('Dispute filed successfully')).toBeTruthy()
    expect(sent).toEqual([{ transactionId: 1, reporterId: ben.id, reason: 'other', description: 'It never came.' }])
  })

  test('in the dialog: closed by mistake, it keeps what was typed until it is sent', async () => {
    serve([transaction({ id: 1, status: 'shipped' })])
    showPage('disputes')
    await press('File New Dispute')
    await userEvent.selectOptions(await screen.findByLabelText('Transaction'), '1')
    await userEvent.selectOptions(screen.getByLabelText('Reason'), 'Other')
    await userEvent.click(screen.getByLabelText('Description'))
    await userEvent.paste('It never came.')
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await press('File New Dispute')
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('It never came.')
    await userEvent.click(dialog.getByRole('button', { name: 'File Dispute' }))
    expect(await screen.findByText('Dispute filed successfully')).toBeTruthy()
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  test('in the wizard: the deal that the address names is chosen, although it is on a later page', async () => {
    serve(manyDeals())
    showPage('file-dispute', '/file-dispute?transaction=1')
    const chosen = await screen.findByRole('radio', { name: /Old lamp.*Held \$107\.00/ })
    expect((chosen as HTMLInputElement).checked).toBe(true)
    await press('Continue')
    await press('Review')
    expect(await screen.findByText('Choose a reason.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Reason')))
  })
})
