import { MAX_WEBHOOK_BYTES } from '@holdfast/kernel/requests'
import { BAD_SIGNATURES_PER_ADDRESS } from '@holdfast/service-kit/auth/bad-signatures'
import { RunningEscrow } from '../test/running-escrow.js'

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

const event = { id: 'evt_1', object: 'event', type: 'charge.succeeded', livemode: false, data: { object: {} } }
const cryptoEvent = { id: '1', event: 'other', time: '2026-01-01T00:00:00Z', context: { id: '1' } }

describe.each([
  { sender: 'stripe', clientIp: '192.0.2.1', send: () => escrow.webhook(event) },
  { sender: 'coinify', clientIp: '192.0.2.2', send: () => escrow.cryptoWebhook(cryptoEvent) },
  { sender: 'carrier', clientIp: '192.0.2.3', send: () => escrow.carrierDelivers('1Z999') },
])('a webhook of $sender', ({ sender, clientIp, send }) => {
  const path = `/api/webhooks/${sender}`

  it('is refused as soon as its address has sent too many with a bad signature; a signed one never', async () => {
    const forge = () => escrow.request<{ code: string }>('POST', path, { body: '{}', clientIp })
    for (let i = 0; i < BAD_SIGNATURES_PER_ADDRESS.attempts; i++)
      expect((await forge()).body.code).toBe('WEBHOOK_SIGNATURE_INVALID')
    const { status, headers } = await forge()
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    // The address of a signed one is `unknown` here, which is refused as well.
    for (let i = 0; i <= BAD_SIGNATURES_PER_ADDRESS.attempts; i++) await escrow.request('POST', path, { body: '{}' })
    expect((await escrow.request('POST', path, { body: '{}' })).status).toBe(429)
    expect(await send()).toMatchObject({ status: 200 })
  })

  it('is refused unread when it is larger than any event', async () => {
    const body = ' '.repeat(MAX_WEBHOOK_BYTES + 1)
    expect((await escrow.request('POST', path, { body })).status).toBe(413)
  })
})
