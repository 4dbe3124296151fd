import { ACTOR_KEYS, ana, keys } from '../../test/signed-calls.js'
import { tinyService } from '../../test/tiny-service.js'
import { ServiceClient } from '../http/service-client.js'
import { type RunningService, startService } from '../lifecycle/service.js'

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a request that was signed', () => {
  let service: RunningService
  let client: ServiceClient
  beforeAll(async () => {
    service = await startService(tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS }))
    client = new ServiceClient({
      ...{ caller: 'gateway', callee: 'listing-svc', keys },
      origin: `http://127.0.0.1:${service.port}`,
    })
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  const signed = {
    method: 'POST',
    path: '/api/things',
    headers: { ...JSON_TYPE, 'idempotency-key': 'once' },
    body: '{"name":"Lamp"}',
  }
  const bare = { method: 'DELETE', path: '/api/things/7', headers: {}, body: null }

  /** Signs one request and sends another with its signature. @returns the status of the answer */
  async function send(
    toSign: typeof signed | typeof bare,
    sent: { headers?: Record<string, string>; body?: string | null } = {},
  ) {
    const signature = client.headersFor(toSign, { actor: { ...ana, role: 'admin' } })
    const { method, path, headers, body } = { ...toSign, ...sent }
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      body,
      headers: { ...headers, ...signature },
    })
    return response.status
  }

  test('is accepted as it is', async () => {
    expect(await send(signed)).toBe(201)
    expect(await send(bare)).toBe(204)
  })

  test.each([
    ['another body', { body: '{"name":"Lump"}' }],
    ['a longer body', { body: '{"name":"Lamp"} ' }],
    ['no body', { body: null }],
    ['an empty body', { body: '' }],
    ['another idempotency key', { headers: { ...JSON_TYPE, 'idempotency-key': 'twice' } }],
    ['no idempotency key', { headers: JSON_TYPE }],
    ['a condition', { headers: { ...signed.headers, 'if-match': '"7"' } }],
  ])('is refused with %s', async (_, change) => {
    expect(await send(signed, change)).toBe(403)
  })

  test.each([
    ['a body', { body: '{"name":"Lamp"}', headers: JSON_TYPE }],
    ['an idempotency key', { headers: { 'idempotency-key': 'once' } }],
  ])('is refused with %s that it did not have', async (_, change) => {
    expect(await send(bare, change)).toBe(403)
  })
})
