import Stripe from 'stripe'
import { type Running, refusal, startSandbox, until, WEBHOOK_SECRET } from '../../test/fixture.js'
import type { DeliveryOverview } from '../control/overview.js'
import { MAX_PENDING_DELIVERIES } from '../state/state.js'
import { enqueue } from './queue.js'

let running: Running
beforeEach(async () => {
  running = await startSandbox()
})
afterEach(() => running.close())

const pay = () =>
  running.stripe.paymentIntents.create({
    amount: 2_500,
    currency: 'usd',
    payment_method_types: ['card'],
    payment_method: 'pm_card_visa',
    confirm: true,
  })
const deliveries = async () => (await running.control('GET', '/webhooks')).body as DeliveryOverview[]
const verify = (received: Running['receiver']['received'][number]) =>
  running.stripe.webhooks.constructEvent(received.body, received.headers['stripe-signature'] ?? '', WEBHOOK_SECRET)

describe('a webhook', () => {
  it('is sent for every change, signed as the provider signs', async () => {
    const intent = await pay()
    await until(() => running.receiver.received.length === 3)

    expect(running.receiver.types().sort()).toEqual([
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.succeeded',
    ])
    const events = running.receiver.received.map(verify)
    const paid = events.find(each => each.type === 'payment_intent.succeeded')
    expect(paid).toMatchObject({
      livemode: false,
      api_version: Stripe.API_VERSION,
      data: { object: { id: intent.id, status: 'succeeded', amount_received: 2_500 } },
      request: { id: expect.stringMatching(/^req_/) },
    })
    expect((await running.stripe.events.retrieve(paid?.id ?? '')).data).toEqual(paid?.data)
  })

  it('does not verify under another secret', async () => {
    await pay()
    await until(() => running.receiver.received.length > 0)
    const { body, headers } = running.receiver.received[0]!
    expect(() =>
      running.stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', 'whsec_other'),
    ).toThrow(Stripe.errors.StripeSignatureVerificationError)
  })

  it('is sent again until the answer is 2xx, with the same event', async () => {
    running.receiver.answers.push(500, 503, 404, 301)
    await running.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    await until(async () => (await deliveries())[0]?.attempts === 3)
    expect(new Set(running.receiver.received.map(each => each.body)).size).toBe(1)
    expect(await deliveries()).toMatchObject([
      { status: 'pending', recent: [{ status: 500 }, { status: 503 }, { status: 404 }] },
    ])
  })

  it('waits while webhooks are paused, and comes when they go on', async () => {
    await running.control('POST', '/webhooks/pause')
    await pay()
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(running.receiver.received).toEqual([])
    await running.control('POST', '/webhooks/resume')
    await until(() => running.receiver.received.length === 3)
  })

  it('comes twice when the settings say so, and once more when it is resent', async () => {
    await running.control('POST', '/settings', { webhookDuplicates: 1 })
    await running.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    await until(() => running.receiver.received.length === 2)
    const [first] = await deliveries()
    await running.control('POST', `/webhooks/${first?.id}/resend`)
    await until(() => running.receiver.received.length === 3)
    expect(new Set(running.receiver.received.map(each => verify(each).id)).size).toBe(1)
  })

  it('comes late when the settings say so', async () => {
    await running.control('POST', '/settings', { webhookDelayMs: 300 })
    const before = Date.now()
    await running.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    await until(() => running.receiver.received.length === 1)
    expect(Date.now() - before).toBeGreaterThanOrEqual(300)
  })
})

describe('when thousands of events are undelivered', () => {
  it('new work is refused until they are delivered, so that no event is dropped', async () => {
    await running.control('POST', '/webhooks/pause')
    const { context } = running.sandbox
    for (let copy = 0; copy < MAX_PENDING_DELIVERIES; copy++) enqueue(context, 'stripe', 'evt_old', 'old', 'pi_old')
    const create = () => running.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    expect(await refusal(create())).toBeInstanceOf(Stripe.errors.StripeRateLimitError)
    expect((await running.stripe.paymentIntents.list()).data).toEqual([])
    expect(context.state.deliveries.size).toBe(MAX_PENDING_DELIVERIES)

    context.state.deliveries.clear()
    expect((await create()).status).toBe('requires_payment_method')
  })
})

describe('a forged webhook', () => {
  it.each(['wrong_secret', 'stale', 'tampered', 'unsigned'])('%s does not verify', async kind => {
    const intent = await running.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    await until(() => running.receiver.received.length === 1)
    const answer = await running.control('POST', '/webhooks/forge', { payment: intent.id, kind })
    expect(answer.body).toEqual({ status: 200, error: null })
    expect(() => verify(running.receiver.received[1]!)).toThrow(Stripe.errors.StripeSignatureVerificationError)
  })

  it.each([
    ['wrong_amount', { livemode: false, data: { object: { status: 'succeeded', amount: 2_499 } } }],
    ['livemode', { livemode: true }],
  ])('%s verifies, and only its content is wrong', async (kind, content) => {
    const intent = await running.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    await until(() => running.receiver.received.length === 1)
    await running.control('POST', '/webhooks/forge', { payment: intent.id, kind })
    expect(verify(running.receiver.received[1]!)).toMatchObject(content)
    expect(await running.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'requires_payment_method' })
  })
})
