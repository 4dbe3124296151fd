import { type Receiver, startReceiver, startSandbox, until } from '../../test/fixture.js'
import { MemoryStore } from './memory-store.js'
import type { Store } from './store.js'

let store: Store
let receiver: Receiver
beforeEach(async () => {
  store = new MemoryStore()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const start = () => startSandbox({ store, receiver })

describe('after a restart', () => {
  it('payments, keys and settings are what they were', async () => {
    const first = await start()
    const params = { amount: 2_500, currency: 'usd', payment_method_types: ['card'] }
    const intent = await first.stripe.paymentIntents.create(params, { idempotencyKey: 'kept' })
    await first.control('POST', '/settings', { cards: 'by_hand' })
    const waiting = await first.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
    expect(waiting.status).toBe('processing')
    await first.close()

    const second = await start()
    expect((await second.stripe.paymentIntents.create(params, { idempotencyKey: 'kept' })).id).toBe(intent.id)
    expect((await second.control('GET', '/settings')).body).toMatchObject({ cards: 'by_hand' })
    await second.control('POST', `/payments/${intent.id}/settle`)
    expect(await second.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' })
    await second.close()
  })

  it('webhooks that were not delivered are delivered, whatever pause they were in', async () => {
    const first = await start()
    await first.control('POST', '/webhooks/pause')
    await first.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    await first.close()
    expect(receiver.received).toEqual([])

    const second = await start()
    await second.control('POST', '/webhooks/resume')
    await until(() => receiver.received.length === 1)
    await second.close()

    const third = await start()
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(receiver.received).toHaveLength(1)
    await third.close()
  })
})

it('forgets everything when it is reset', async () => {
  const running = await start()
  await running.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
  await running.control('POST', '/reset')
  expect((await running.control('GET', '/payments')).body).toEqual([])
  await running.close()
  const again = await start()
  expect(again.sandbox.context.state.intents.size).toBe(0)
  await again.close()
})
