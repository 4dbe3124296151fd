import type { Transaction } from '@holdfast/contracts/transactions'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, noAnswer, refusal } from '../../../test/fake-server.js'
import { bankQuote, cardQuote, intent, payment, providerError } from '../../../test/payments.js'
import { anaSignedIn, ben } from '../../../test/people.js'
import { savedCard } from '../../../test/plans.js'
import { historyLine } from '../../../test/receipts.js'
import { forgetAnswers, show, showRoutes } from '../../../test/show.js'
import { pendingTransaction, transaction } from '../../../test/transactions.js'
import { Protected } from '../../app/protected.js'
import { endAttempt } from './attempt-key.js'
import { startAwaiting, stopAwaiting } from './awaited-payment.js'
import { NotPayable } from './not-payable.js'
import SendFundsPage from './send-funds-page.js'

beforeEach(async () => {
  endAttempt(42, 'card')
  stopAwaiting(42)
  sessionStorage.clear()
  await forgetAnswers()
})

/** The deal is read anew at every request, so that a test can move it. */
function showPage(read: () => Transaction, more = {}) {
  const server = fakeServer({
    'GET /api/auth/user': () => ({ body: read().viewerRole === 'buyer' ? ben : anaSignedIn }),
    'GET /api/transactions/42': () => ({ body: read() }),
    'GET /api/transactions/42/quote': ({ query }: { query: URLSearchParams }) => ({
      body: query.get('method') === 'card' ? cardQuote : bankQuote,
    }),
    'GET /api/transactions/42/payment': () => ({ body: { status: null, method: null, bankTransfer: null } }),
    'POST /api/transactions/42/payments': () => ({ status: 201, body: payment }),
    'GET /api/payment-methods': () => ({ body: [] }),
    'GET /api/payments': () => ({ body: [] }),
    'GET /v1/payment_intents/pi_1': () => intent('requires_payment_method'),
    'POST /v1/payment_methods': () => ({ body: { id: 'pm_1' } }),
    ...more,
  })
  const { router } = show(
    <Protected>
      <SendFundsPage />
    </Protected>,
    '/send-funds/42',
    '/send-funds/:id',
  )
  return { ...server, path: () => router.state.location.pathname }
}

/** A slow machine; typing key by key is proved where the fields are formatted. */
const PATIENCE_MS = 20_000

async function payWith(number: string) {
  const enter = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  await screen.findByLabelText('Card Number')
  enter('Card Number', number)
  enter('Expiry (MM/YY)', '12/40')
  enter('CVV', '123')
  enter('Cardholder Name', 'Ben Okafor')
  await userEvent.click(screen.getByRole('button', { name: 'Pay $107.00' }))
}

const keysSent = () =>
  jest
    .mocked(globalThis.fetch)
    .mock.calls.filter(([url]) => String(url).endsWith('/payments'))
    .map(([, init]) => new Headers(init?.headers).get('idempotency-key'))

const isByCard = (body: unknown) => (body as { readonly method: string }).method === 'card'

describe('what is to be paid', () => {
  test('every fee has its line, and they lead to the total', async () => {
    showPage(pendingTransaction)
    expect(await screen.findByRole('heading', { name: 'Pay Oak chair' })).toBeTruthy()
    expect(screen.getByText('Send USD 100.00 for Transaction #42')).toBeTruthy()
    for (const label of ['Purchase Amount', 'Platform Fee (2%)', 'Processing Fee', 'Total due']) {
      expect(await screen.findByText(label)).toBeTruthy()
    }
  })

  test('no total stands beside another way to pay whose fees cannot be loaded', async () => {
    showPage(pendingTransaction, {
      'GET /api/transactions/42/quote': ({ query }: { query: URLSearchParams }) =>
        query.get('method') === 'card' ? { body: cardQuote } : refusal('UNAVAILABLE'),
    })
    expect((await screen.findAllByText('$107.00')).length).toBeGreaterThan(0)
    await userEvent.click(await screen.findByRole('radio', { name: /Bank/ }))
    expect(await screen.findByText('The fees could not be loaded')).toBeTruthy()
    const paid = screen.getByRole('region', { name: 'Secure Payment' })
    expect(within(paid).queryByText('$107.00')).toBeNull()
  })

  test('a deal that is paid already shows no form and opens no payment', async () => {
    const { calls } = showPage(transaction)
    expect(await screen.findByText('This transaction is paid, and $107.00 is held.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'View Transaction' }).getAttribute('href')).toBe('/transaction/42')
    expect(calls.filter(call => call.startsWith('POST'))).toEqual([])
  })

  test('the seller reads that the buyer pays', async () => {
    showPage(() => pendingTransaction({ viewerRole: 'seller' }))
    expect(await screen.findByText(/The buyer pays for this transaction/)).toBeTruthy()
    expect(screen.queryByLabelText('Card Number')).toBeNull()
  })

  test('a missing deal is said to be missing', async () => {
    showPage(pendingTransaction, { 'GET /api/transactions/42': () => refusal('TRANSACTION_NOT_FOUND') })
    expect(await screen.findByRole('heading', { name: 'Transaction not found' })).toBeTruthy()
    expect(screen.getByText("The transaction you're looking for doesn't exist.")).toBeTruthy()
  })
})

describe('paying by card', () => {
  test('a payment counts as made when the server says so, not when the provider does', async () => {
    let paid = false
    const { calls } = showPage(() => (paid ? transaction() : pendingTransaction()), {
      'POST /v1/payment_intents/pi_1/confirm': () => intent('succeeded'),
    })
    await payWith('4242424242424242')
    expect(await screen.findByText('Processing...')).toBeTruthy()
    expect(screen.queryByText('Payment Successful')).toBeNull()
    paid = true
    expect(await screen.findByText('At /transaction/42', {}, { timeout: 10_000 })).toBeTruthy()
    expect(screen.getByText('Funds have been sent successfully!')).toBeTruthy()
    expect(calls).toContain('POST /v1/payment_intents/pi_1/confirm')
  })

  test('the card’s number goes to the provider alone', async () => {
    showPage(pendingTransaction, {
      'POST /v1/payment_intents/pi_1/confirm': () => intent('processing'),
    })
    await payWith('4242424242424242')
    await screen.findByText('Processing...')
    const withNumber = jest
      .mocked(globalThis.fetch)
      .mock.calls.filter(([, init]) => String(init?.body).includes('4242'))
    expect(withNumber.map(([url]) => String(url))).toEqual(['http://sandbox.test/v1/payment_methods'])
  })

  test('a decline shows the provider’s words and leaves the form as it was', async () => {
    showPage(pendingTransaction, {
      'POST /v1/payment_intents/pi_1/confirm': () =>
        providerError(402, { type: 'card_error', message: 'Your card has insufficient funds.' }),
    })
    await payWith('4000000000009995')
    expect((await screen.findAllByText('Payment Failed')).length).toBeGreaterThan(0)
    expect(screen.getByText('Your card has insufficient funds.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Card Number').value).toBe('4000 0000 0000 9995')
    expect(screen.getByRole('button', { name: 'Pay $107.00' })).toBeTruthy()
  })

  test.each(['requires_payment_method', 'succeeded'] as const)(
    'without an answer the provider is asked, and what it says is shown: %s',
    async status => {
      let isSent = false
      showPage(pendingTransaction, {
        'GET /v1/payment_intents/pi_1': () => intent(isSent ? status : 'requires_payment_method'),
        'POST /v1/payment_intents/pi_1/confirm': () => {
          isSent = true
          return noAnswer()
        },
      })
      await payWith('4242424242424242')
      if (status === 'succeeded') expect(await screen.findByText(/Your card was accepted/)).toBeTruthy()
      else {
        expect((await screen.findAllByText('Payment Failed')).length).toBeGreaterThan(0)
        expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Pay $107.00' }).disabled).toBe(false)
      }
    },
  )

  describe('that is refused is followed by a look at what is true', () => {
    const declined = () => providerError(402, { type: 'card_error', message: 'Your card was declined.' })
    const CLAIM = /(nothing|not) (was |were )?charged|charged nothing|payment failed/i

    test('another tab has paid it: the payment is waited for', async () => {
      let isPaid = false
      showPage(pendingTransaction, {
        'GET /v1/payment_intents/pi_1': () => intent(isPaid ? 'succeeded' : 'requires_payment_method'),
        'POST /v1/payment_intents/pi_1/confirm': () => {
          isPaid = true
          return providerError(400, { type: 'invalid_request_error', message: 'This PaymentIntent has succeeded.' })
        },
      })
      await payWith('4242424242424242')
      expect(await screen.findByText(/Your card was accepted/)).toBeTruthy()
      expect(screen.queryByText(CLAIM)).toBeNull()
    })

    test('another device has paid with another payment, and this page has missed it: the page says that it is paid', async () => {
      let isPaid = false
      showPage(() => (isPaid ? transaction() : pendingTransaction()), {
        'POST /v1/payment_intents/pi_1/confirm': () => {
          isPaid = true
          return declined()
        },
      })
      await payWith('4000000000000002')
      expect(await screen.findByText(/^This transaction is paid/)).toBeTruthy()
      expect(screen.queryByText(CLAIM)).toBeNull()
    })

    test('another tab has opened another payment: the page says that this one was closed, and goes on with the open one', async () => {
      let isClosed = false
      const { calls } = showPage(pendingTransaction, {
        'GET /v1/payment_intents/pi_1': () => intent(isClosed ? 'canceled' : 'requires_payment_method'),
        'POST /v1/payment_intents/pi_1/confirm': () => {
          isClosed = true
          return providerError(400, { type: 'invalid_request_error', message: 'This PaymentIntent was canceled.' })
        },
      })
      await payWith('4242424242424242')
      expect(await screen.findByText('This payment was closed')).toBeTruthy()
      isClosed = false
      const before = calls.filter(call => call.endsWith('/payments')).length
      await userEvent.click(screen.getByRole('button', { name: 'Go On' }))
      expect(await screen.findByLabelText('Card Number')).toBeTruthy()
      expect(calls.filter(call => call.endsWith('/payments')).length).toBe(before + 1)
    })

    test('the provider does not say where the payment is: the page claims nothing', async () => {
      const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
      let isSilent = false
      showPage(pendingTransaction, {
        'GET /v1/payment_intents/pi_1': () => (isSilent ? noAnswer() : intent('requires_payment_method')),
        'POST /v1/payment_intents/pi_1/confirm': () => {
          isSilent = true
          return declined()
        },
      })
      await payWith('4000000000000002')
      expect(await screen.findByText('We do not know yet whether your card was charged')).toBeTruthy()
      expect(screen.queryByText(CLAIM)).toBeNull()
      warned.mockRestore()
    })

    test('nothing was paid: the sentence is about this attempt alone', async () => {
      showPage(pendingTransaction, { 'POST /v1/payment_intents/pi_1/confirm': declined })
      await payWith('4000000000000002')
      expect(await screen.findByText(/^Your card was declined\. This attempt charged nothing\./)).toBeTruthy()
    })
  })

  test.each(['Bank', 'Crypto'])(
    'another device has paid while %s is chosen here: the page says that it is paid',
    async method => {
      let isPaid = false
      showPage(() => (isPaid ? transaction() : pendingTransaction()), {
        'POST /api/transactions/42/payments': ({ body }: { body: unknown }) => {
          if (isByCard(body)) return { status: 201, body: payment }
          isPaid = true
          return refusal('ESCROW_WRONG_STATE')
        },
      })
      await userEvent.click(await screen.findByRole('radio', { name: method }))
      const button = await screen.findByRole('button', { name: /^Show / })
      const wallet = screen.queryByLabelText('Wallet Address')
      if (wallet) fireEvent.change(wallet, { target: { value: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' } })
      await userEvent.click(button)
      expect(await screen.findByText(/^This transaction is paid/)).toBeTruthy()
      expect(screen.queryByText(/charged/)).toBeNull()
    },
  )

  test('a page that gets the focus again reads the deal anew', async () => {
    let isPaid = false
    showPage(() => (isPaid ? transaction() : pendingTransaction()))
    await screen.findByLabelText('Card Number')
    isPaid = true
    act(() => void window.dispatchEvent(new Event('focus')))
    expect(await screen.findByText(/^This transaction is paid/)).toBeTruthy()
  })

  test('a card with a mistake is not sent, and the first mistake gets the focus', async () => {
    const { calls } = showPage(pendingTransaction)
    await payWith('4242424242424241')
    expect(await screen.findByText(/digit by digit/)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Card Number')))
    expect(calls).not.toContain('POST /v1/payment_methods')
  })

  test('a payment that went through before a reload is waited for, not offered again', async () => {
    showPage(pendingTransaction, { 'GET /v1/payment_intents/pi_1': () => intent('succeeded') })
    expect(await screen.findByText('Processing...')).toBeTruthy()
    expect(screen.queryByLabelText('Card Number')).toBeNull()
  })

  test(
    'a card that the provider declines while the page waits is shown as declined',
    async () => {
      const message = 'Your card was declined.'
      let isSent = false
      showPage(pendingTransaction, {
        // The server asks the provider so rarely that it never hears of the processing.
        'GET /api/transactions/42/payment': () => ({ body: { status: 'open', method: 'card', bankTransfer: null } }),
        'GET /v1/payment_intents/pi_1': () => {
          const { body } = intent('requires_payment_method')
          return { body: { ...body, last_payment_error: isSent ? { message } : null } }
        },
        'POST /v1/payment_intents/pi_1/confirm': () => {
          isSent = true
          return intent('processing')
        },
      })
      await payWith('4242424242424242')
      expect(await screen.findByText(/Your card was accepted/)).toBeTruthy()
      const words = `${message} This attempt charged nothing. Check the card, or use another one.`
      expect(await screen.findByText(words, {}, { timeout: 10_000 })).toBeTruthy()
      expect(screen.getByRole('button', { name: 'Pay $107.00' })).toBeTruthy()
    },
    PATIENCE_MS,
  )

  test('while it is unknown whether the card was charged, nothing can be paid', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    showPage(pendingTransaction, { 'GET /v1/payment_intents/pi_1': () => providerError(500, { type: 'api_error' }) })
    expect(await screen.findByText('We do not know yet whether your card was charged')).toBeTruthy()
    expect(screen.queryByLabelText('Card Number')).toBeNull()
    expect(warned).toHaveBeenCalled()
    warned.mockRestore()
  })

  test('a provider that is away is asked again under the same key', async () => {
    let away = true
    showPage(pendingTransaction, {
      'POST /api/transactions/42/payments': () =>
        away
          ? refusal('PAYMENT_PROVIDER_UNAVAILABLE', 'The payment provider cannot be reached.')
          : { status: 201, body: payment },
    })
    expect(await screen.findByText(/The payment provider cannot be reached\./)).toBeTruthy()
    away = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByLabelText('Card Number')
    await waitFor(() => expect(keysSent()).toHaveLength(2))
    expect(new Set(keysSent()).size).toBe(1)
  })

  test('an attempt whose payment was closed is begun again under another key, once', async () => {
    let closed = true
    showPage(pendingTransaction, {
      'POST /api/transactions/42/payments': () => {
        const wasClosed = closed
        closed = false
        return wasClosed ? refusal('CONFLICT', 'This payment was closed.') : { status: 201, body: payment }
      },
    })
    await screen.findByLabelText('Card Number')
    expect(new Set(keysSent()).size).toBe(2)
  })

  test('a refusal that comes again is shown', async () => {
    showPage(pendingTransaction, {
      'POST /api/transactions/42/payments': () => refusal('CONFLICT', 'The transaction was cancelled.'),
    })
    expect(await screen.findByText(/The transaction was cancelled\./)).toBeTruthy()
    expect(keysSent()).toHaveLength(2)
  })
})

test('only the ways to pay that are offered can be chosen', async () => {
  showPage(() => pendingTransaction(), {
    'GET /api/transactions/42/quote': () => ({ body: { ...cardQuote, methods: ['card', 'bank'] } }),
  })
  await screen.findByLabelText('Card Number')
  expect(screen.getAllByRole('radio').map(({ parentElement }) => parentElement?.textContent)).toEqual(['Card', 'Bank'])
})

test('a single way to pay needs no choice', async () => {
  showPage(() => pendingTransaction(), {
    'GET /api/transactions/42/quote': () => ({ body: { ...cardQuote, methods: ['card'] } }),
  })
  await screen.findByLabelText('Card Number')
  expect(screen.queryByRole('radiogroup', { name: 'Payment method' })).toBeNull()
})

test.each(['Bank', 'Crypto'])('by %s the fee and the total are those of that way to pay', async method => {
  showPage(pendingTransaction)
  expect(await screen.findByText('Platform Fee (2%)')).toBeTruthy()
  expect(screen.getAllByText('$107.00').length).toBeGreaterThan(1)
  await userEvent.click(await screen.findByRole('radio', { name: method }))
  expect(await screen.findByText('Platform Fee (1.5%)')).toBeTruthy()
  expect(screen.queryByText('Processing Fee')).toBeNull()
  expect(screen.getAllByText('$101.50')).toHaveLength(3)
})

describe('paying in cryptocurrency', () => {
  const WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  const quote = {
    ...{ asset: 'bitcoin', assetCurrency: 'BTC', assetAmount: '0.00158594', walletAddress: WALLET, stage: 'waiting' },
    ...{ depositAddress: 'bc1qdeposit', paymentUri: 'bitcoin:bc1qdeposit?amount=0.00158594', received: '0' },
    ...{ expiresAt: new Date(Date.now() + 10 * 60_000).toISOString(), total: '101.50', currency: 'USD' },
  } as const
  const shownAs = (more: object, status = 'open', returns: object[] = []) => ({
    'GET /api/transactions/42/payment': () => ({
      body: {
        ...{ status, method: 'crypto', bankTransfer: null },
        ...{ cryptoPayment: { ...quote, ...more }, cryptoReturns: returns },
      },
    }),
  })

  test('the buyer chooses an asset and names their wallet, and gets an amount and an address', async () => {
    let begun = false
    let sent: unknown
    showPage(pendingTransaction, {
      'GET /api/transactions/42/payment': () => ({
        body: begun
          ? { status: 'open', method: 'crypto', bankTransfer: null, cryptoPayment: quote, cryptoReturns: [] }
          : { status: null, method: null, bankTransfer: null },
      }),
      'POST /api/transactions/42/payments': ({ body }: { body: unknown }) => {
        // The page opens with the form for a card.
        if (isByCard(body)) return { status: 201, body: payment }
        begun = true
        sent = body
        const { clientSecret, publishableKey, ...rest } = payment
        return { status: 201, body: { ...rest, provider: 'coinify', total: '101.50', cryptoPayment: quote } }
      },
    })
    await userEvent.click(await screen.findByRole('radio', { name: 'Crypto' }))
    const assets = await screen.findByLabelText('Cryptocurrency')
    expect([...assets.querySelectorAll('option')].map(option => option.textContent)).toEqual([
      'Bitcoin (BTC)',
      'Ethereum (ETH)',
      'USD Coin (USDC)',
      'Tether (USDT)',
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Show Amount and Address' }))
    expect(await screen.findByText('Enter the address of your wallet.')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Wallet Address'), { target: { value: ` ${WALLET} ` } })
    await userEvent.click(screen.getByRole('button', { name: 'Show Amount and Address' }))
    expect(await screen.findByText('bc1qdeposit')).toBeTruthy()
    expect(screen.getByText('0.00158594 BTC')).toBeTruthy()
    expect(
      await screen.findByRole('img', { name: /^A code for your wallet: 0\.00158594 BTC to bc1qdeposit/ }),
    ).toBeTruthy()
    expect(screen.getByText(/^\d+:\d\d left$/)).toBeTruthy()
    expect(sent).toEqual({ method: 'crypto', cryptoAsset: 'bitcoin', walletAddress: WALLET })
  })

  test('a wrong address is named at its field', async () => {
    showPage(pendingTransaction, {
      'POST /api/transactions/42/payments': () =>
        refusal('VALIDATION_FAILED', undefined, { fields: { walletAddress: 'This is not a Bitcoin address.' } }),
    })
    await userEvent.click(await screen.findByRole('radio', { name: 'Crypto' }))
    fireEvent.change(await screen.findByLabelText('Wallet Address'), { target: { value: 'nonsense' } })
    await userEvent.click(screen.getByRole('button', { name: 'Show Amount and Address' }))
    expect(await screen.findByText('This is not a Bitcoin address.')).toBeTruthy()
  })

  test.each([
    [{ stage: 'short', received: '0.001' }, 'open', '0.001 BTC is too little'],
    [{ stage: 'underpaid', received: '0.001' }, 'failed', '0.001 BTC was too little'],
    [{ stage: 'late', received: '0.00158594' }, 'failed', '0.00158594 BTC came too late'],
    [{ stage: 'expired' }, 'failed', 'This amount has expired'],
  ])('says what happened to the money: %j', async (more, status, words) => {
    showPage(pendingTransaction, shownAs(more, status))
    expect(await screen.findByText(words)).toBeTruthy()
    expect((await screen.findAllByText(new RegExp(WALLET))).length).toBeGreaterThan(0)
    if (status === 'failed') expect(screen.getByRole('button', { name: 'Show Amount and Address' })).toBeTruthy()
  })

  test('money on its way back is listed, and so is what has come back', async () => {
    const back = { assetCurrency: 'BTC', walletAddress: WALLET, at: new Date().toISOString() }
    showPage(
      pendingTransaction,
      shownAs({ stage: 'expired' }, 'failed', [
        { ...back, cause: 'overpaid', assetAmount: '0.0004', isSent: false },
        { ...back, cause: 'closed', assetAmount: '0.0016', isSent: true },
      ]),
    )
    expect(await screen.findByText('0.0004 BTC')).toBeTruthy()
    expect(screen.getByText('On its way back')).toBeTruthy()
    expect(screen.getByText('Returned')).toBeTruthy()
  })

  test('another way to pay is opened only after the buyer has read what becomes of the address', async () => {
    showPage(pendingTransaction, shownAs({}))
    await screen.findByText('bc1qdeposit')
    await userEvent.click(screen.getByRole('radio', { name: 'Card' }))
    expect(await screen.findByText(/send nothing to that address/)).toBeTruthy()
    expect(screen.queryByLabelText('Card Number')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Pay by Card Instead' }))
    expect(await screen.findByLabelText('Card Number')).toBeTruthy()
  })

  test('a payment that was seen waits for its network', async () => {
    showPage(
      () => ({ ...pendingTransaction(), status: 'secured', actions: [] }),
      shownAs({ stage: 'seen', received: '0.00158594' }, 'processing'),
    )
    expect(await screen.findByText('0.00158594 BTC was seen in the Bitcoin network')).toBeTruthy()
  })

  test.each([
    ['secured', false],
    ['paid', true],
  ] as const)(
    'only a confirmed payment leads on, of those that this browser waits for: %s',
    async (status, leadsOn) => {
      startAwaiting(42)
      const { path } = showPage(
        () => ({ ...pendingTransaction(), status, actions: [] }),
        shownAs({ stage: 'seen', received: '0.00158594' }, 'processing'),
      )
      if (leadsOn) await waitFor(() => expect(path()).toBe('/transaction/42'))
      else {
        expect(await screen.findByText(/waiting for the network’s confirmations/)).toBeTruthy()
        expect(path()).toBe('/send-funds/42')
        expect(screen.queryByText('Payment Successful')).toBeNull()
      }
      stopAwaiting(42)
    },
  )
})

test('a buyer whose payment has arrived does not read that there is nothing to pay while the transaction loads', () => {
  fakeServer({ 'GET /api/payments': () => ({ body: [] }) })
  startAwaiting(42)
  const isStillLoading = () => new Promise<never>(() => undefined)
  showRoutes(
    [
      { path: '/send-funds/42', element: <NotPayable deal={transaction()} /> },
      { path: '/transaction/42', lazy: isStillLoading },
    ],
    '/send-funds/42',
  )
  expect(screen.getByText('Your payment has arrived.')).toBeTruthy()
  expect(screen.queryByText('There is nothing to pay here any more.')).toBeNull()
})

describe('paying by bank transfer', () => {
  const transfer = {
    ...{ accountHolder: 'Holdfast', bankName: 'First Bank', routingNumber: '110000000', accountNumber: '123456789012' },
    ...{ reference: 'HF7Q2', total: '101.50', received: '0.00', missing: '101.50', currency: 'USD' },
  } as const
  const openTransfer = (more = {}) => ({
    'GET /api/transactions/42/payment': () => ({
      body: { status: 'open', method: 'bank', bankTransfer: { ...transfer, ...more } },
    }),
  })

  test('the bank details come when the buyer asks for them', async () => {
    let begun = false
    const body = () => ({ status: 'open', method: 'bank', bankTransfer: transfer })
    const { calls } = showPage(pendingTransaction, {
      'GET /api/transactions/42/payment': () => ({
        body: begun ? body() : { status: null, method: null, bankTransfer: null },
      }),
      'POST /api/transactions/42/payments': ({ body: sent }: { body: unknown }) => {
        // The page opens with the form for a card.
        if (isByCard(sent)) return { status: 201, body: payment }
        begun = true
        const { clientSecret: _, publishableKey: __, ...rest } = payment
        return { status: 201, body: { ...rest, total: '101.50', bankTransfer: transfer } }
      },
    })
    await userEvent.click(await screen.findByLabelText('Bank'))
    await userEvent.click(await screen.findByRole('button', { name: 'Show Bank Details' }))
    expect(await screen.findByText('123456789012')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy: Reference' })).toBeTruthy()
    expect(calls.filter(call => call === 'POST /api/transactions/42/payments').length).toBeGreaterThan(0)
  })

  test.each([
    ['Bank', 'Show Bank Details', 'Bank transfer not possible'],
    ['Crypto', 'Show Amount and Address', 'Crypto payment not possible'],
  ])('a refused payment by %s is explained in the server’s words', async (label, button, title) => {
    showPage(pendingTransaction, {
      'POST /api/transactions/42/payments': () => refusal('PAYMENT_PROVIDER_UNAVAILABLE', 'The provider is away.'),
    })
    await userEvent.click(await screen.findByLabelText(label))
    if (label === 'Crypto')
      await userEvent.type(await screen.findByLabelText('Wallet Address'), 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
    await userEvent.click(await screen.findByRole('button', { name: button }))
    expect(await screen.findByText(title)).toBeTruthy()
    expect(screen.getByText('The provider is away.')).toBeTruthy()
  })

  test('who has not confirmed their address reads why, and can have the link mailed again', async () => {
    showPage(pendingTransaction, {
      'GET /api/transactions/42/payment': () => ({ body: { status: null, method: null, bankTransfer: null } }),
      'POST /api/transactions/42/payments': () => refusal('EMAIL_NOT_CONFIRMED', 'Please confirm your address first.'),
      'POST /api/auth/verify-email/send': () => ({ status: 204 }),
    })
    await userEvent.click(await screen.findByLabelText('Bank'))
    await userEvent.click(await screen.findByRole('button', { name: 'Show Bank Details' }))
    expect(await screen.findByText('Please confirm your address first.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Send the Link Again' }))
    expect(await screen.findByText(/^Look into the mailbox of /)).toBeTruthy()
  })

  test('an open transfer is shown first, with what is missing, and looking at the card form does not close it', async () => {
    const { calls } = showPage(pendingTransaction, openTransfer({ received: '50.00', missing: '51.50' }))
    expect(await screen.findByText('$51.50 is missing')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Card'))
    expect(await screen.findByText(/the part that has arrived goes back to your bank/)).toBeTruthy()
    expect(calls.filter(call => call.startsWith('POST'))).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Pay by Card Instead' }))
    expect(await screen.findByLabelText('Card Number')).toBeTruthy()
  })

  /** The server, which closes the transfer when another payment is opened. */
  function withOneOpenPayment() {
    let method = 'bank'
    return {
      'GET /api/transactions/42/payment': () => ({
        body: { status: 'open', method, bankTransfer: method === 'bank' ? transfer : null },
      }),
      'POST /api/transactions/42/payments': ({ body }: { body: unknown }) => {
        method = (body as { method: string }).method
        if (method === 'card') return { status: 201, body: payment }
        const { clientSecret: _, publishableKey: __, ...rest } = payment
        return { status: 201, body: { ...rest, total: '101.50', bankTransfer: transfer } }
      },
    }
  }

  test('the details of a transfer that was left for a card are not shown again', async () => {
    showPage(pendingTransaction, withOneOpenPayment())
    expect(await screen.findByText('123456789012')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Card'))
    await userEvent.click(await screen.findByRole('button', { name: 'Pay by Card Instead' }))
    await screen.findByLabelText('Card Number')
    await userEvent.click(screen.getByLabelText('Bank'))
    expect(screen.queryByText('123456789012')).toBeNull()
    expect(await screen.findByRole('button', { name: 'Show Bank Details' })).toBeTruthy()
  })

  test('each transfer is closed only after a question, and so for each other way to pay', async () => {
    const { calls } = showPage(pendingTransaction, withOneOpenPayment())
    const countOpened = () => calls.filter(call => call === 'POST /api/transactions/42/payments').length
    expect(await screen.findByText('123456789012')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Crypto'))
    await userEvent.click(await screen.findByRole('button', { name: 'Pay by Crypto Instead' }))
    await screen.findByLabelText('Wallet Address')
    await userEvent.click(screen.getByLabelText('Card'))
    await userEvent.click(await screen.findByRole('button', { name: 'Pay by Card Instead' }))
    await screen.findByLabelText('Card Number')
    expect(countOpened()).toBe(1)
    await userEvent.click(screen.getByLabelText('Bank'))
    await userEvent.click(await screen.findByRole('button', { name: 'Show Bank Details' }))
    expect(await screen.findByText('123456789012')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Card'))
    expect(await screen.findByRole('button', { name: 'Pay by Card Instead' })).toBeTruthy()
    expect(countOpened()).toBe(2)
  })

  test('a transfer that the bank took back is named', async () => {
    showPage(pendingTransaction, {
      'GET /api/transactions/42/payment': () => ({
        body: { status: 'failed', method: 'bank', bankTransfer: transfer },
      }),
    })
    await userEvent.click(await screen.findByLabelText('Bank'))
    expect(await screen.findByText('Your bank took the transfer back')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Show Bank Details' })).toBeTruthy()
  })

  test('a transfer that the provider refused to prepare is not said to be taken back', async () => {
    showPage(pendingTransaction, {
      'GET /api/transactions/42/payment': () => ({ body: { status: 'failed', method: 'bank', bankTransfer: null } }),
    })
    await userEvent.click(await screen.findByLabelText('Bank'))
    expect(await screen.findByRole('button', { name: 'Show Bank Details' })).toBeTruthy()
    expect(screen.queryByText('Your bank took the transfer back')).toBeNull()
  })

  test.each([
    ['while it can still be paid', pendingTransaction],
    ['when it is paid', transaction],
  ])('what came too late or was too much is shown with where it is, %s', async (_, read) => {
    const back = historyLine({ kind: 'refund', state: 'on_its_way', method: 'bank', card: null, amount: '18.50' })
    showPage(read, {
      'GET /api/payments': ({ query }: { query: URLSearchParams }) => ({
        body: query.get('transactionId') === '42' ? [historyLine(), back] : [],
      }),
    })
    const returns = await screen.findByRole('region', { name: 'Money That Goes Back to Your Bank' })
    expect(returns.textContent).toContain('$18.50On its way')
    expect(within(returns).getAllByRole('listitem').length).toBe(1)
    expect(within(returns).getByRole('link').getAttribute('href')).toBe(`/payments/${back.paymentId}`)
  })
})

describe('a saved card', () => {
  const cards = [savedCard({ isDefault: true }), savedCard({ id: 'pm_other', brand: 'Mastercard', last4: '4444' })]

  test('is offered first, pays without being typed, and another card can be typed instead', async () => {
    const sent: string[] = []
    showPage(pendingTransaction, {
      'GET /api/payment-methods': () => ({ body: cards }),
      'POST /v1/payment_intents/pi_1/confirm': () => {
        sent.push('confirm')
        return intent('succeeded')
      },
    })
    expect(await screen.findByRole('radio', { name: /Visa ending in 4242/ }, { timeout: PATIENCE_MS })).toBeTruthy()
    expect(screen.queryByLabelText('Card Number')).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'Another card' }))
    expect(await screen.findByLabelText('Card Number')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: /Mastercard ending in 4444/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Pay $107.00' }))
    expect(await screen.findByText(/Your card was accepted/)).toBeTruthy()
    expect(sent).toEqual(['confirm'])
  })

  test('that is declined says why, ends the attempt, and lets another one pay', async () => {
    const message = 'Your card has expired.'
    showPage(pendingTransaction, {
      'GET /api/payment-methods': () => ({ body: cards }),
      'POST /v1/payment_intents/pi_1/confirm': () => providerError(402, { type: 'card_error', message }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Pay $107.00' }, { timeout: PATIENCE_MS }))
    expect(
      await screen.findByText(`${message} This attempt charged nothing. Check the card, or use another one.`),
    ).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Pay $107.00' })).toBeTruthy()
  })

  test('that was not charged when the provider gave no answer can pay again', async () => {
    let isAway = false
    showPage(pendingTransaction, {
      'GET /api/payment-methods': () => ({ body: cards }),
      // It answers again when it is asked for the second time.
      'GET /v1/payment_intents/pi_1': () => {
        if (!isAway) return intent('requires_payment_method')
        isAway = false
        return noAnswer()
      },
      'POST /v1/payment_intents/pi_1/confirm': () => {
        isAway = true
        return noAnswer()
      },
    })
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    await userEvent.click(await screen.findByRole('button', { name: 'Pay $107.00' }, { timeout: PATIENCE_MS }))
    expect((await screen.findAllByText('Payment Failed')).length).toBeGreaterThan(0)
    expect(screen.getByRole('button', { name: 'Pay $107.00' })).toBeTruthy()
    warned.mockRestore()
  })

  test('that cannot be read leaves the form for another one', async () => {
    showPage(pendingTransaction, { 'GET /api/payment-methods': () => refusal('PAYMENT_PROVIDER_UNAVAILABLE') })
    expect(await screen.findByLabelText('Card Number', undefined, { timeout: PATIENCE_MS })).toBeTruthy()
  })
})
