import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
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
