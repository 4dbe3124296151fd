import type { PaymentReceipt } from '@holdfast/contracts/receipts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../test/fake-server.js'
import { uuid } from '../../../test/ids.js'
import { ben } from '../../../test/people.js'
import { historyLine, paymentReceipt, payoutReceipt } from '../../../test/receipts.js'
import { show } from '../../../test/show.js'
import { Protected } from '../../app/protected.js'
import PayoutReceiptPage from '../profile/payout-receipt-page.js'
import PaymentReceiptPage from './payment-receipt-page.js'
import { methodLabel } from './shared/history-words.js'
import { PaymentHistory } from './shared/payment-history.js'

const ID = uuid(90)
const factOf = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent

describe('the history of payments', () => {
  test('shows each payment and what came back, with the way to its receipt, page by page', async () => {
    const refund = historyLine({ id: uuid(91), kind: 'refund', state: 'returned', fees: '0.00' })
    fakeServer({
      'GET /api/payments': ({ query }) =>
        query.get('before') === refund.id
          ? { body: [historyLine()] }
          : { body: [refund], headers: { link: `</api/payments?before=${refund.id}>; rel="next"` } },
    })
    show(<PaymentHistory empty="Nothing" />)
    const returned = (await screen.findByRole('link', { name: 'Receipt: Refund, Camera' })).closest('li')!
    expect(returned.textContent).toContain('Returned')
    expect(returned.textContent).toContain('+$107.00')
    expect(returned.textContent).toContain('Refund to Visa ending in 4242, transaction #7, Mar 1, 2026')
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    const link = await screen.findByRole('link', { name: 'Receipt: Payment, Camera' })
    expect(link.getAttribute('href')).toBe(`/payments/${ID}`)
    expect(link.closest('li')!.textContent).toContain(
      'Payment by Visa ending in 4242, transaction #7, with fees of $7.00',
    )
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  test('says that a refund that failed is still owed, and that a payment that failed is over', async () => {
    const lines = [
      historyLine({ id: uuid(92), kind: 'refund', state: 'failed' }),
      historyLine({ id: uuid(93), state: 'failed' }),
    ]
    fakeServer({ 'GET /api/payments': () => ({ body: lines }) })
    show(<PaymentHistory empty="Nothing" />)
    expect(await screen.findByText('Still owed to you')).toBeTruthy()
    expect(screen.getByText('Failed')).toBeTruthy()
  })
})

describe('the receipt of a payment', () => {
  const open = (receipt: PaymentReceipt) => {
    fakeServer({ [`GET /api/payments/${ID}`]: () => ({ body: receipt }) })
    show(<PaymentReceiptPage />, `/payments/${ID}`, '/payments/:receipt')
  }

  test('has its number, the parties, the lines of the quote and the way it was paid, and can be printed', async () => {
    const print = jest.spyOn(window, 'print').mockImplementation(() => undefined)
    open(paymentReceipt())
    await screen.findByRole('heading', { name: 'Receipt' })
    expect(document.title).toBe('Receipt 7-3F2A91BC07DE · Holdfast')
    expect(factOf('Number')).toBe('7-3F2A91BC07DE')
    expect(factOf('Paid on')).toBe('Mar 1, 2026')
    expect(factOf('Buyer')).toBe('Ben Okafor (@ben)')
    expect(factOf('Seller')).toBe('Ana Ruiz (@ana)')
    expect(factOf('Paid with')).toBe('Visa ending in 4242')
    expect(factOf('Platform Fee (2%)')).toBe('$2.00')
    expect(factOf('Total paid')).toBe('$107.00')
    expect(screen.queryByRole('heading', { name: 'What comes back' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Statement of transaction #7' }).getAttribute('href')).toBe(
      '/transaction/7/statement',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Print' }))
    expect(print).toHaveBeenCalledTimes(1)
    print.mockRestore()
  })

  test('lists what came back and what is on its way', async () => {
    const at = '2026-03-05T10:00:00.000Z'
    open(
      paymentReceipt({
        refunds: [
          { id: uuid(91), state: 'returned', amount: '40.00', at },
          { id: uuid(92), state: 'on_its_way', amount: '10.00', at },
        ],
        chargebacks: [{ id: uuid(93), state: 'open', amount: '57.00', at }],
        returned: '40.00',
      }),
    )
    const part = within((await screen.findByRole('heading', { name: 'What comes back' })).closest('section')!)
    expect(part.getByText('Refund, Mar 5, 2026: Returned').nextElementSibling?.textContent).toBe('$40.00')
    expect(part.getByText('Refund, Mar 5, 2026: On its way')).toBeTruthy()
    expect(part.getByText('Chargeback, Mar 5, 2026: Bank decides')).toBeTruthy()
    expect(part.getByText('Returned so far').nextElementSibling?.textContent).toBe('$40.00')
  })

  test('of money that paid for nothing says that it goes back, and leads to no page that does not exist', async () => {
    open(paymentReceipt({ purpose: 'late', hasTransactionPage: false, lines: [] }))
    await screen.findByText(/It goes back in full, fees included\./)
    expect(screen.queryByRole('link', { name: /Statement/ })).toBeNull()
  })

  test('of a bank transfer that is not complete is no receipt, and says what has arrived', async () => {
    open(paymentReceipt({ state: 'incomplete', method: 'bank', card: null, paidAt: null, received: '60.00' }))
    await screen.findByRole('heading', { name: 'Payment under way' })
    expect(factOf('Begun on')).toBe('Mar 1, 2026')
    expect(factOf('Paid with')).toBe('Bank transfer')
    expect(factOf('Received so far')).toBe('$60.00')
  })

  test('that is not the reader’s is not found', async () => {
    fakeServer({})
    show(<PaymentReceiptPage />, `/payments/${ID}`, '/payments/:receipt')
    await screen.findByRole('heading', { name: 'Receipt Not Found' })
  })
})

test('the receipt of a payout has its bank, its transactions, and parts that sum to it', async () => {
  const { id } = payoutReceipt()
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    [`GET /api/payouts/${id}`]: () => ({
      body: payoutReceipt({ amount: '603.50', dealCount: 6, otherDeals: '500.00', corrections: '5.00' }),
    }),
  })
  show(
    <Protected>
      <PayoutReceiptPage />
    </Protected>,
    `/payouts/${id}`,
    '/payouts/:receipt',
  )
  await screen.findByRole('heading', { name: 'Payout Receipt' })
  expect(factOf('Paid to')).toBe('Ben Okafor (@ben)')
  expect(factOf('Bank account')).toBe('Test Bank ending in 6789')
  expect(factOf('#7, Camera')).toBe('$98.50')
  expect(factOf('5 older transactions')).toBe('$500.00')
  expect(factOf('Corrections of your balance by Holdfast')).toBe('$5.00')
  expect(factOf('Amount of the payout')).toBe('$603.50')
})

test.each([
  ['card', { brand: 'amex', last4: '0005' }, 'American Express ending in 0005'],
  ['card', { brand: 'unknown', last4: '0005' }, 'Card ending in 0005'],
  ['card', null, 'Card'],
  ['crypto', null, 'Cryptocurrency'],
] as const)('a payment by %s with %j is named %s', (method, card, label) => {
  expect(methodLabel(method, card)).toBe(label)
})
