import Stripe from 'stripe'
import { portOf, type Running, refusal, SECRET_KEY, startSandbox, stripeAt } from '../../test/fixture.js'

const DAY_MS = 86_400_000

let running: Running
let stripe: Stripe
let now = Date.now()
beforeAll(async () => {
  running = await startSandbox({ now: () => now })
  stripe = running.stripe
})
afterAll(() => running.close())

const params = { amount: 2_500, currency: 'usd', payment_method_types: ['card'] }
const create = (key: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}, client = stripe) =>
  client.paymentIntents.create({ ...params, ...more }, { idempotencyKey: key })
const intents = () => running.sandbox.context.state.intents.size

describe('an idempotency key', () => {
  it('repeats the first answer and does the work once', async () => {
    const first = await create('again')
    const count = intents()
    const second = await create('again')
    expect(second).toEqual(first)
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
    expect(intents()).toBe(count)
  })

  it('is refused for other parameters and for another address', async () => {
    const { id } = await create('once')
    const other = await refusal(create('once', { amount: 2_501 }))
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    expect(other.statusCode).toBe(400)
    expect(await refusal(stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'once' }))).toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    )
  })

  it('refuses a second call while the first is still being served', async () => {
    const count = intents()
    await running.control('POST', '/faults', { kind: 'delay', path: '/v1/payment_intents', delayMs: 200 })
    const first = create('race')
    await new Promise(resolve => setTimeout(resolve, 60))
    expect(await refusal(create('race'))).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    await first
    expect(intents()).toBe(count + 1)
  })

  it('remembers a decline, but not a call that was never carried out', async () => {
    const declined = { payment_method: 'pm_card_chargeDeclined', confirm: true }
    const first = await refusal(create('declined', declined))
    const count = intents()
    const second = await refusal(create('declined', declined))
    expect(second.payment_intent?.id).toBe(first.payment_intent?.id)
    expect(intents()).toBe(count)

    await refusal(create('mistake', { amount: 1 }))
    expect(await create('mistake')).toMatchObject({ status: 'requires_payment_method' })
  })

  it.each(['error', 'error_after'])('repeats a stored 500 (%s) for as long as it is known', async kind => {
    await running.control('POST', '/faults', { kind, method: 'POST', path: '/v1/payment_intents' })
    const first = await refusal(create(`stored-${kind}`))
    expect(first).toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
    const count = intents()
    expect(await refusal(create(`stored-${kind}`))).toMatchObject({ statusCode: 500, message: first.message })
    expect(intents()).toBe(count)
    expect(await create(`other-${kind}`)).toMatchObject({ status: 'requires_payment_method' })
  })

  it('is forgotten after a day', async () => {
    const first = await create('yesterday')
    now += DAY_MS
    expect((await create('yesterday')).id).not.toBe(first.id)
  })
})

describe('when the answer is lost', () => {
  it('the SDK’s own retry gets the first answer, and there is one payment', async () => {
    const count = intents()
    const client = stripeAt(portOf(running), SECRET_KEY, 2)
    await running.control('POST', '/faults', { kind: 'lose_answer', path: '/v1/payment_intents' })
    const intent = await client.paymentIntents.create({ ...params, payment_method: 'pm_card_visa', confirm: true })
    expect(intent.status).toBe('succeeded')
    expect(intent.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(intents()).toBe(count + 1)
  })

  it.each([
    ['refuse', 0],
    ['error', 0],
    ['rate_limit', 0],
    ['lose_answer', 1],
    ['error_after', 1],
  ])('%s leaves %i payments behind', async (kind, made) => {
    const count = intents()
    // The SDK tries once more after a dropped connection, although retries are off. So both tries meet the fault.
    const times = kind === 'refuse' || kind === 'lose_answer' ? 2 : 1
    await running.control('POST', '/faults', { kind, times, method: 'POST', path: '/v1/' })
    const error = await refusal(create(`fault-${kind}`))
    expect(error.type).toBe(
      kind === 'rate_limit'
        ? 'StripeRateLimitError'
        : kind.startsWith('error')
          ? 'StripeAPIError'
          : 'StripeConnectionError',
    )
    expect(intents()).toBe(count + made)
    expect((await running.control('GET', '/faults')).body).toEqual([])
  })
})
