import { createHmac } from 'node:crypto'
import { startInMemory } from '@holdfast/sandbox/in-memory'
import type { EscrowConfig } from '../config.js'
import { CarrierClient } from './carrier.client.js'

const SECRET = 'secret of the aggregator'
const config = { CARRIER_API_URL: 'http://127.0.0.1:1', CARRIER_API_KEY: 'key', CARRIER_WEBHOOK_SECRET: [SECRET] }
const carrier = new CarrierClient(config as EscrowConfig)
afterAll(() => carrier.end())

const AT = '2026-11-21T12:00:00Z'
const update = (more: object = {}) => ({
  description: 'tracker.updated',
  result: { id: 'trk_1', tracking_code: 'HF1', status: 'in_transit', updated_at: AT, ...more },
})

/** Reads a body with the aggregator's signature. */
function read(body: unknown) {
  const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const digest = createHmac('sha256', SECRET).update(raw).digest('hex')
  return carrier.readWebhook(raw, `hmac-sha256-hex=${digest}`)
}

describe('a signed update of the carrier', () => {
  it('is read; an event of another kind gives null', () => {
    const scan = { status: 'delivered', datetime: AT, message: 'Left at the\ndoor\u202E' }
    expect(read(update({ status: 'delivered', tracking_details: [scan] }))).toMatchObject({
      status: 'delivered',
      description: 'Left at the door',
      deliveredAt: new Date(AT),
      lastUpdate: new Date(AT),
    })
    expect(read({ description: 'batch.created', result: {} })).toBeNull()
    expect(read('[]')).toBeNull()
  })

  it.each([
    ['is not JSON', '{{'],
    ['has no valid time', update({ updated_at: 'yesterday' })],
    ['has a scan without a valid time', update({ tracking_details: [{ status: 'delivered', datetime: 'never' }] })],
    ['has an expected delivery in a year of six digits', update({ est_delivery_date: '+275760-09-13T00:00:00Z' })],
    ['has a character that PostgreSQL cannot store', update({ id: 'trk_\u0000' })],
  ])('is refused when it %s', (_, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'MALFORMED_REQUEST' }))
  })
})

describe('the tracker of a number', () => {
  let aggregator: Awaited<ReturnType<typeof startInMemory>>
  let client: CarrierClient

  beforeAll(async () => {
    aggregator = await startInMemory({
      ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
      ...{ CARRIER_API_KEY: 'key', CARRIER_WEBHOOK_SECRET: SECRET },
      ...{ COINIFY_API_KEY: 'key', COINIFY_WEBHOOK_SECRET: SECRET },
    })
    client = new CarrierClient({ ...config, CARRIER_API_URL: aggregator.origin } as EscrowConfig)
  })
  afterAll(async () => {
    await client.end()
    await aggregator.sandbox.close()
  })

  it.each([
    ['the carrier has another spelling', '1Z999AA10123456784', 'U.P.S.', 'UPS'],
    ['the carrier is known, and the form of the number is not', 'HF1', 'Fed Ex', 'FedEx'],
    ['the carrier has an unknown name', '1Z999AA10123456785', 'the brown van', 'UPS'],
    ['the carrier is not named', '794611102087', null, 'FedEx'],
    ['the number belongs to another carrier', '794611102088', 'UPS', 'FedEx'],
    ['the aggregator does not know the carrier', '1Z999AA10123456786', 'OnTrac', 'UPS'],
  ])('is found when %s', async (_, trackingNumber, named, found) => {
    expect(await client.track(trackingNumber, named)).toMatchObject({ trackingNumber, carrier: found })
  })

  it('is not found for a number that the aggregator refuses whatever the carrier', async () => {
    await expect(client.track(' ', 'UPS')).rejects.toThrow('the carrier answered 422')
  })
})
