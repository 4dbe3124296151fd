import { PRODUCT_ORIGIN, type Running, startSandbox } from '../../test/fixture.js'

let running: Running
beforeAll(async () => {
  running = await startSandbox()
})
afterAll(() => running.close())

async function challenged(method = 'pm_card_authenticationRequired', types = ['card']) {
  const intent = await running.stripe.paymentIntents.create({
    amount: 2_500,
    currency: 'usd',
    payment_method_types: types,
    confirm: true,
    return_url: `${PRODUCT_ORIGIN}/send-funds/7?from=pay`,
    ...(types[0] === 'card' ? { payment_method: method } : { payment_method_data: { type: 'crypto', crypto: {} } }),
  })
  const url = intent.next_action?.redirect_to_url?.url ?? ''
  // The page's address is the public one; the test reaches the same process by its number.
  return { intent, page: url.replace('localhost', '127.0.0.1') }
}

const answer = (page: string, outcome: string) =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' })

describe('3-D Secure', () => {
  it('waits for the payer, then pays and leads back', async () => {
    const { intent, page } = await challenged()
    expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } })
    expect(await (await fetch(page)).text()).toContain('$25.00')

    const back = await answer(page, 'pass')

    expect(back.status).toBe(303)
    const location = new URL(back.headers.get('location') ?? '')
    expect(location.pathname).toBe('/send-funds/7')
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: 'pay',
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    })
    expect(await running.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' })
  })

  it('fails when the payer refuses, and another card may pay', async () => {
    const { intent, page } = await challenged()
    const back = await answer(page, 'fail')
    expect(back.headers.get('location')).toContain('redirect_status=failed')
    expect(await running.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
    const paid = await running.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
    expect(paid.status).toBe('succeeded')
  })

  it('can pass and still be declined', async () => {
    const method = await running.stripe.paymentMethods.create({
      type: 'card',
      card: { number: '4000008400001629', exp_month: 1, exp_year: 2040 },
    })
    const { intent, page } = await challenged(method.id)
    await answer(page, 'pass')
    expect(await running.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    })
  })

  it('counts once: a second answer and a guessed address find nothing', async () => {
    const { page } = await challenged()
    await answer(page, 'pass')
    expect((await answer(page, 'fail')).status).toBe(404)
    expect((await fetch(`${page}x`)).status).toBe(404)
  })

  it('is over when the intent is cancelled', async () => {
    const { intent, page } = await challenged()
    await running.stripe.paymentIntents.cancel(intent.id)
    expect((await answer(page, 'pass')).status).toBe(404)
  })

  it('without a page to return to is left to the SDK, which is given the same address', async () => {
    const intent = await running.stripe.paymentIntents.create({
      amount: 2_500,
      currency: 'usd',
      payment_method_types: ['card'],
      payment_method: 'pm_card_authenticationRequired',
      confirm: true,
    })
    expect(intent.next_action).toMatchObject({
      type: 'use_stripe_sdk',
      use_stripe_sdk: { stripe_js: expect.stringContaining(`/challenge/${intent.id}/`) },
    })
  })
})

describe('a payment from a wallet', () => {
  it('is on its way once the payer has approved it, and paid once it is settled', async () => {
    const { intent, page } = await challenged('', ['crypto'])
    expect(intent.status).toBe('requires_action')
    const back = await answer(page, 'pass')
    expect(back.headers.get('location')).toContain('redirect_status=processing')
    expect((await running.control('POST', `/payments/${intent.id}/settle`)).status).toBe(200)
    expect(await running.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' })
  })
})
