import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Receiver, startReceiver, startSandbox, until } from '../../test/fixture.js'

let folder: string
let receiver: Receiver
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-restart-'))
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

const start = () => startSandbox({ dataDir: folder, receiver })

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

  it('a line that a kill tore in half is dropped: its command was never answered', async () => {
    const first = await start()
    const { id } = await first.stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })
    await first.close()
    const file = join(folder, 'state.jsonl')
    await writeFile(file, `${await readFile(file, 'utf8')}[["intents","pi_torn",{"id":"pi_t`)

    const second = await start()
    expect(second.sandbox.context.state.intents.size).toBe(1)
    expect((await second.stripe.paymentIntents.retrieve(id)).id).toBe(id)
    await second.close()
  })

  it('a file damaged in the middle is not guessed at', async () => {
    await writeFile(join(folder, 'state.jsonl'), 'not json\n[]\n')
    await expect(start()).rejects.toThrow(/damaged in line 1/)
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
