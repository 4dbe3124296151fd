import { stubGlobals } from '../../../test/stub-globals.js'
import {
  findIntent,
  goToBank,
  isStripeItself,
  ProviderRefusal,
  ProviderSilence,
  payByCard,
  stateOf,
} from './provider.js'

const PAYMENT = { providerUrl: 'http://localhost:4010', publishableKey: 'pk_test_1', clientSecret: 'pi_1_secret_2' }
const CARD = { cardNumber: '4242 4242 4242 4242', expiry: '03/28', cvv: '123', name: ' Ben Okafor ' }
const RETURN_URL = 'http://localhost:3000/send-funds/7'

/** Answers one call after another, and keeps what was sent. */
function provider(...answers: readonly { readonly status: number; readonly body: unknown }[]) {
  const rest = [...answers]
  const fetched = jest.fn(async (_url: URL, _init: RequestInit) => {
    const answer = rest.shift()
    if (!answer) throw new TypeError('network error')
    return { ok: answer.status < 300, status: answer.status, json: async () => answer.body } as Response
  })
  globalThis.fetch = fetched as unknown as typeof fetch
  return fetched
}

describe('paying by card', () => {
  test('sends the card to the provider alone, then confirms with the client secret', async () => {
    const fetched = provider({ status: 200, body: { id: 'pm_3' } }, { status: 200, body: { status: 'succeeded' } })
    expect(await payByCard(PAYMENT, CARD, RETURN_URL)).toEqual({ kind: 'succeeded' })
    const [method, confirm] = fetched.mock.calls
    expect(String(method?.[0])).toBe('http://localhost:4010/v1/payment_methods')
    expect(Object.fromEntries(method?.[1].body as URLSearchParams)).toEqual({
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '3',
      'card[exp_year]': '2028',
      'card[cvc]': '123',
      'billing_details[name]': 'Ben Okafor',
    })
    expect(String(confirm?.[0])).toBe('http://localhost:4010/v1/payment_intents/pi_1/confirm')
    expect(Object.fromEntries(confirm?.[1].body as URLSearchParams)).toEqual({
      client_secret: 'pi_1_secret_2',
      payment_method: 'pm_3',
      return_url: RETURN_URL,
    })
    expect(confirm?.[1]).toMatchObject({ credentials: 'omit', headers: { authorization: 'Bearer pk_test_1' } })
  })

  test('a declined card is refused with the provider’s words', async () => {
    const error = { type: 'card_error', message: 'Your card has insufficient funds.' }
    provider({ status: 200, body: { id: 'pm_3' } }, { status: 402, body: { error } })
    const refused = payByCard(PAYMENT, CARD, RETURN_URL)
    await expect(refused).rejects.toThrow('Your card has insufficient funds.')
    await expect(refused).rejects.toBeInstanceOf(ProviderRefusal)
  })

  test('no answer to the confirmation is not taken for a refusal', async () => {
    provider({ status: 200, body: { id: 'pm_3' } })
    await expect(payByCard(PAYMENT, CARD, RETURN_URL)).rejects.toBeInstanceOf(ProviderSilence)
    provider({ status: 200, body: { id: 'pm_3' } }, { status: 500, body: {} })
    await expect(payByCard(PAYMENT, CARD, RETURN_URL)).rejects.toBeInstanceOf(ProviderSilence)
  })

  test('a bank that wants a confirmation first answers with the address of its page', async () => {
    const next_action = { redirect_to_url: { url: 'http://localhost:4010/challenge/x' } }
    provider({ status: 200, body: { id: 'pm_3' } }, { status: 200, body: { status: 'requires_action', next_action } })
    expect(await payByCard(PAYMENT, CARD, RETURN_URL)).toEqual({
      kind: 'redirect',
      url: 'http://localhost:4010/challenge/x',
    })
  })
})

test('the provider is asked for a payment by its client secret', async () => {
  const fetched = provider({ status: 200, body: { status: 'processing' } })
  expect(await findIntent(PAYMENT)).toEqual({ kind: 'processing' })
  expect(String(fetched.mock.calls[0]?.[0])).toBe(
    'http://localhost:4010/v1/payment_intents/pi_1?client_secret=pi_1_secret_2',
  )
})

test.each([
  [
    { status: 'requires_payment_method', last_payment_error: { message: 'No.' } },
    { kind: 'open', problem: 'No.' },
  ],
  [{ status: 'requires_payment_method' }, { kind: 'open', problem: null }],
  [
    { status: 'requires_action', next_action: null },
    { kind: 'open', problem: null },
  ],
  [{ status: 'canceled' }, { kind: 'cancelled' }],
])('%j is read as %j', (intent, state) => {
  expect(stateOf(intent)).toEqual(state)
})

test('only Stripe’s own origins get Stripe’s own card fields', () => {
  expect(isStripeItself('https://api.stripe.com')).toBe(true)
  expect(isStripeItself('http://localhost:4010')).toBe(false)
  expect(isStripeItself('https://stripe.com.evil.example')).toBe(false)
})

test('a payment that the bank did not confirm has words for the payer, not the provider’s words for programmers', () => {
  const last_payment_error = {
    code: 'payment_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication. You can provide payment_method_data.',
  }
  expect(stateOf({ status: 'requires_payment_method', last_payment_error })).toEqual({
    kind: 'open',
    problem: 'Your bank did not confirm the payment.',
  })
})

test('a page that the browser has kept is loaded anew on the way back from the bank', () => {
  const [assign, reload] = [jest.fn(), jest.fn()]
  const unstub = stubGlobals({ location: { assign, reload } })
  goToBank('http://bank.test/1')
  expect(assign).toHaveBeenCalledWith('http://bank.test/1')
  const show = (persisted: boolean) => dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
  show(false)
  expect(reload).not.toHaveBeenCalled()
  show(true)
  expect(reload).toHaveBeenCalledTimes(1)
  unstub()
})
