import Stripe from 'stripe'
import { type Running, refusal, startSandbox } from '../../test/fixture.js'
import { API_VERSION } from './render-event.js'

let running: Running
let stripe: Stripe
beforeAll(async () => {
  running = await startSandbox()
  stripe = running.stripe
})
afterAll(() => running.close())

const open = (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ amount: 105_500, currency: 'usd', payment_method_types: ['card'], ...more })

describe('paying by card', () => {
  it('is paid at once, and the charge carries the provider’s fee', async () => {
    const intent = await open({ metadata: { transactionId: '17' }, description: 'Leica M6' })
    expect(intent).toMatchObject({ status: 'requires_payment_method', livemode: false, latest_charge: null })

    const paid = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge.balance_transaction', 'payment_method'],
    })

    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 105_500, metadata: { transactionId: '17' } })
    expect(paid.payment_method).toMatchObject({ type: 'card', card: { brand: 'visa', last4: '4242' } })
    expect(paid.latest_charge).toMatchObject({
      status: 'succeeded',
      paid: true,
      balance_transaction: { amount: 105_500, fee: 3_090, net: 102_410, type: 'charge' },
    })
    expect(paid.lastResponse.requestId).toMatch(/^req_/)
  })

  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
  ])('%s is declined with %s / %s, and another card may then pay', async (card, code, declineCode) => {
    const intent = await open()
    const error = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: card }))

    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(error).toMatchObject({ statusCode: 402, code, decline_code: declineCode })
    expect(error.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' })
    const after = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    expect(after.last_payment_error).toMatchObject({ code, decline_code: declineCode, type: 'card_error' })
    expect(after.latest_charge).toMatchObject({ status: 'failed', failure_code: code })

    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null })
  })

  it('refuses a method that has paid before', async () => {
    const method = await stripe.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
    })
    await open({ payment_method: method.id, confirm: true })
    const again = await refusal(open({ payment_method: method.id, confirm: true }))
    expect(again).toMatchObject({ statusCode: 400, param: 'payment_method' })
  })
})

describe('card numbers', () => {
  const create = (card: Partial<Stripe.PaymentMethodCreateParams.Card>) =>
    stripe.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', ...card },
    })

  it.each([
    ['a number that fails its own check', { number: '4242424242424241' }, 'incorrect_number', undefined],
    ['letters', { number: '4242 4242 4242 424x' }, 'invalid_number', undefined],
    ['a card that may be real', { number: '4539578763621486' }, 'card_declined', 'test_mode_live_card'],
    ['a thirteenth month', { exp_month: 13 }, 'invalid_expiry_month', undefined],
    ['a year gone by', { exp_year: 2020 }, 'invalid_expiry_year', undefined],
    ['a security code of two digits', { cvc: '12' }, 'invalid_cvc', undefined],
  ])('%s is refused', async (_what, card, code, declineCode) => {
    const error = await refusal(create(card))
    expect(error).toMatchObject({ statusCode: 402, code, rawType: 'card_error' })
    expect(error.decline_code || undefined).toBe(declineCode)
  })

  it('are not kept: only which test card it was', async () => {
    const method = await create({ number: '4000 0000 0000 9995' })
    expect(method.card).toMatchObject({ last4: '9995', exp_month: 12, exp_year: 2040 })
    expect(JSON.stringify(running.sandbox.context.state.methods.get(method.id))).not.toContain('4000000000009995')
  })
})

describe('states and limits', () => {
  it('a cancelled intent cannot be paid, and a paid one cannot be cancelled', async () => {
    const intent = await open()
    const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
    const late = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }))
    expect(late).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' })
    expect(late.payment_intent).toMatchObject({ id: intent.id, status: 'canceled' })

    const paid = await open({ payment_method: 'pm_card_visa', confirm: true })
    const refused = await refusal(stripe.paymentIntents.cancel(paid.id))
    expect(refused).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' })
  })

  it('an intent without a method cannot be confirmed', async () => {
    const { id } = await open()
    expect(await refusal(stripe.paymentIntents.confirm(id))).toMatchObject({ code: 'payment_intent_unexpected_state' })
  })

  it('the amount may change until it is paid', async () => {
    const intent = await open()
    expect(await stripe.paymentIntents.update(intent.id, { amount: 2_000 })).toMatchObject({ amount: 2_000 })
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
    expect(await refusal(stripe.paymentIntents.update(intent.id, { amount: 3_000 }))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    const described = await stripe.paymentIntents.update(intent.id, { metadata: { note: 'kept' } })
    expect(described).toMatchObject({ amount: 2_000, metadata: { note: 'kept' } })
  })

  it.each([
    [{ amount: 49 }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000 }, 'amount_too_large', 'amount'],
    [{ amount: 10.5 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 0 }, 'parameter_invalid_integer', 'amount'],
    [{ currency: 'xyz' }, undefined, 'currency'],
    [{ surprise: '1' }, 'parameter_unknown', 'surprise'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, undefined, expect.stringContaining('metadata')],
  ])('%j is refused, naming the parameter', async (params, code, param) => {
    const error = await refusal(open(params as Partial<Stripe.PaymentIntentCreateParams>))
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', param })
    expect(error.code || undefined).toBe(code)
  })

  it('takes the largest amount the provider takes', async () => {
    const intent = await open({ amount: 99_999_999, payment_method: 'pm_card_visa', confirm: true })
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 99_999_999 })
  })

  it('an unknown intent is 404, and a wrong key is 401', async () => {
    expect(await refusal(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    expect(await refusal(stripe.paymentIntents.list({}, { apiKey: 'sk_test_other' }))).toMatchObject({
      statusCode: 401,
    })
  })
})

describe('lists', () => {
  it('go through every page by themselves, newest first', async () => {
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await open({ amount: 1_000 + i })).id)
    const seen: string[] = []
    for await (const intent of stripe.paymentIntents.list({ limit: 2 })) {
      seen.push(intent.id)
      if (seen.length === 5) break
    }
    expect(seen).toEqual(made)
    const page = await stripe.paymentIntents.list({
      limit: 2,
      starting_after: made[1]!,
      expand: ['data.latest_charge'],
    })
    expect(page.has_more).toBe(true)
    expect(page.data.map(each => each.id)).toEqual(made.slice(2, 4))
  })

  it('refuse to expand what names nothing', async () => {
    const { id } = await open()
    const error = await refusal(stripe.paymentIntents.retrieve(id, { expand: ['nonsense'] }))
    expect(error).toMatchObject({ statusCode: 400, message: 'This property cannot be expanded (nonsense).' })
  })
})

it('speaks the version of the API that the SDK pins', () => {
  expect(Stripe.API_VERSION).toBe(API_VERSION)
})
