import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_IMAGE_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { ACTOR_HEADER } from '@holdfast/service-kit/auth/actor'
import { aRecord } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

describe('forwarding', () => {
  const gateway = new RunningGateway()
  const { services } = gateway

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => services.clear())

  it('sends a read with its user to the service, and returns the bytes and headers of the answer', async () => {
    const { token, user } = services.signIn({ role: 'admin', plan: 'premium' })
    services.on('escrow-svc', 'GET', '/api/transactions/7/timeline', (_, reply) =>
      reply.header('etag', '"v1"').header('link', '</x>; rel="next"').header('x-inner', 'secret').send('[1, 2]'),
    )
    const answer = await gateway.ask('GET', '/api/transactions/7/timeline?x=1', {
      token,
      headers: { 'if-none-match': '"v0"' },
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('[1, 2]')
    expect(answer.headers.get('etag')).toBe('"v1"')
    expect(answer.headers.get('link')).toBe('</x>; rel="next"')
    expect(answer.headers.get('x-inner')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const [received] = services.received
    expect(received!.url).toBe('/api/transactions/7/timeline?x=1')
    expect(received!.caller).toEqual({ caller: 'gateway', actor: user, clientIp: '127.0.0.1' })
    expect(received!.headers['x-request-id']).toBe(answer.headers.get('x-request-id'))
    expect(received!.headers['if-none-match']).toBe('"v0"')
  })

  it.each([
    ['POST', '/api/transactions/7/accept'],
    ['PATCH', '/api/transactions/7'],
    ['DELETE', '/api/transactions/7'],
    ['POST', '/api/disputes'],
    ['POST', '/api/transactions/7/messages'],
    ['PATCH', '/api/listings/7'],
    ['DELETE', '/api/auth/sessions'],
  ])('sends %s %s with its body, byte for byte', async (method, path) => {
    const { token } = services.signIn()
    const body = '{ "odd":  "spacing",\n"é": 1.10 }'
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' }
    expect((await gateway.ask(method, path, { token, headers, body })).status).toBe(200)
    const [received] = services.received
    expect([received!.method, received!.url, received!.body.toString()]).toEqual([method, path, body])
    expect(received!.headers['content-type']).toBe('application/json')
    expect(received!.headers['idempotency-key']).toBe('once')
    expect(received!.caller).not.toBeNull()
  })

  it('passes the session and the browser that the cookies name to identity-svc at sign-in, and to no other service', async () => {
    const { token } = services.signIn()
    const device = 'd'.repeat(43)
    const headers = {
      cookie: `holdfast_session=${token}; holdfast_device=${device}`,
      'x-holdfast-session': 'f'.repeat(64),
      'x-holdfast-device': 'e'.repeat(43),
    }
    await gateway.ask('POST', '/api/auth/signin', { headers, body: {} })
    await gateway.ask('POST', '/api/transactions/7/accept', { headers })
    await gateway.ask('POST', '/api/auth/signin', {
      headers: { ...headers, cookie: 'holdfast_device=short' },
      body: {},
    })
    const passedOn = services.received.map(received => [
      received.headers['x-holdfast-session'],
      received.headers['x-holdfast-device'],
      received.headers.cookie,
    ])
    expect(passedOn).toEqual([
      [createHash('sha256').update(token).digest('hex'), device, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ])
  })

  it('sends a webhook unchanged, from any site, with its signature', async () => {
    const headers = { 'content-type': 'text/plain', 'stripe-signature': 't=1,v1=x', origin: 'https://stripe.example' }
    const answer = await gateway.ask('POST', '/api/webhooks/stripe', { headers, body: 'any bytes' })
    expect(answer.status).toBe(200)
    const [received] = services.received
    expect([received!.body.toString(), received!.headers['stripe-signature']]).toEqual(['any bytes', 't=1,v1=x'])
    expect(received!.caller).toEqual({ caller: 'gateway', actor: null, clientIp: '127.0.0.1' })
  })

  describe('a deal whose event messaging-svc has not received', () => {
    const absent = { code: 'TRANSACTION_NOT_FOUND', message: '', error: '', details: null, requestId: 'x' }
    const ask = (method: string) => {
      const { token } = services.signIn()
      services.on('messaging-svc', method, '/api/transactions/7/messages', (_, reply) => reply.code(404).send(absent))
      const body = method === 'POST' ? '{"content":"Hello"}' : undefined
      return gateway.codeOf(method, '/api/transactions/7/messages', {
        token,
        headers: body ? { 'content-type': 'application/json' } : {},
        ...(body && { body }),
      })
    }

    it.each(['GET', 'POST'])('is 404 (%s) when escrow-svc does not know it either', async method => {
      services.on('escrow-svc', 'GET', '/internal/transactions/7', (_, reply) => reply.code(404).send(absent))
      expect(await ask(method)).toEqual([404, 'TRANSACTION_NOT_FOUND'])
    })

    it.each(['GET', 'POST'])('is 503 (%s) when escrow-svc knows it, or gives no answer', async method => {
      services.on('escrow-svc', 'GET', '/internal/transactions/7', () => aRecord())
      expect(await ask(method)).toEqual([503, 'UNAVAILABLE'])
      services.on('escrow-svc', 'GET', '/internal/transactions/7', (_, reply) => reply.code(500).send({}))
      expect(await ask(method)).toEqual([503, 'UNAVAILABLE'])
    })
  })

  it('never passes cookies or forged headers on', async () => {
    const { token, user } = services.signIn()
    const headers = { [ACTOR_HEADER]: 'v1.forged.forged', 'x-forwarded-for': '6.6.6.6', 'x-holdfast-admin': '1' }
    await gateway.ask('POST', '/api/transactions/7/accept', { token, headers })
    const [received] = services.received
    expect(received!.caller).toEqual({ caller: 'gateway', actor: user, clientIp: '127.0.0.1' })
    for (const name of ['cookie', 'x-forwarded-for', 'x-holdfast-admin'])
      expect(received!.headers[name]).toBeUndefined()
  })

  it('passes on refusals and cookies of a service unchanged', async () => {
    services.on('identity-svc', 'POST', '/api/auth/signin', (_, reply) =>
      reply
        .header('set-cookie', ['a=1; HttpOnly', 'b=2'])
        .code(429)
        .header('retry-after', '7')
        .send('{"code":"RATE_LIMITED"}'),
    )
    const answer = await gateway.ask('POST', '/api/auth/signin', { body: {} })
    expect(answer.status).toBe(429)
    expect(answer.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2'])
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(await answer.text()).toBe('{"code":"RATE_LIMITED"}')
  })

  it('passes on answers without a body: 204 and 304', async () => {
    const { token } = services.signIn()
    services.on('listing-svc', 'DELETE', '/api/listings/7', (_, reply) => reply.code(204).send())
    services.on('listing-svc', 'GET', '/api/listings/7', (_, reply) => reply.code(304).header('etag', '"v"').send())
    expect((await gateway.ask('DELETE', '/api/listings/7', { token })).status).toBe(204)
    const unchanged = await gateway.ask('GET', '/api/listings/7', { token })
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, '"v"'])
  })

  it('streams the whole of a long answer, and answers HEAD without a body', async () => {
    const image = Buffer.alloc(3_000_000, 'x')
    services.on('listing-svc', 'GET', `/api/images/${'a'.repeat(64)}`, (_, reply) =>
      reply.type('image/jpeg').send(image),
    )
    const answer = await gateway.ask('GET', `/api/images/${'a'.repeat(64)}`)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await answer.arrayBuffer()).equals(image)).toBe(true)
    const head = await gateway.ask('HEAD', `/api/images/${'a'.repeat(64)}`)
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0])
  })

  it('asks for a picture on behalf of the signed-in user, and sends the headers that forbid to keep it', async () => {
    const path = `/api/images/${'c'.repeat(64)}`
    const { token, user } = services.signIn()
    services.on('listing-svc', 'GET', path, (_, reply) => reply.header('cache-control', 'private, no-store').send('x'))
    const answer = await gateway.ask('GET', path, { token })
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    await gateway.ask('GET', path)
    expect(services.received.map(({ caller }) => caller?.actor)).toEqual([user, null])
  })

  it('forwards a malformed id, which the service refuses', async () => {
    const { token } = services.signIn()
    services.on('escrow-svc', 'POST', '/api/transactions/..%2Fadmin/accept', (_, reply) =>
      reply.code(404).send({ code: 'NOT_FOUND' }),
    )
    expect(await gateway.codeOf('POST', '/api/transactions/..%2Fadmin/accept', { token })).toEqual([404, 'NOT_FOUND'])
    expect(services.received[0]!.caller).not.toBeNull()
  })

  it('answers 404, 405 and 401 itself, and 404 for an admin’s route to everybody else, without a call to a service', async () => {
    const { token } = services.signIn()
    expect(await gateway.codeOf('GET', '/api/nothing')).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('POST', '/api/nothing')).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('POST', '/internal/transactions', { token })).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('GET', '/internal/transactions/1', { token })).toEqual([404, 'NOT_FOUND'])
    const wrong = await gateway.ask('PUT', '/api/transactions/7/accept')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await gateway.codeOf('POST', '/api/transactions/7/accept')).toEqual([401, 'UNAUTHENTICATED'])
    expect(await gateway.codeOf('POST', '/api/transactions/7/accept', { token: 'x'.repeat(43) })).toEqual([
      401,
      'UNAUTHENTICATED',
    ])
    expect(await gateway.codeOf('GET', '/api/admin/ledger/trial-balance', { token })).toEqual([404, 'NOT_FOUND'])
    expect(services.received).toEqual([])
  })

  it('refuses a write from a page of another site, and accepts it from its own pages and from clients without a browser', async () => {
    const { token } = services.signIn()
    const path = '/api/transactions/7/accept'
    const from = (headers: Record<string, string>) => gateway.codeOf('POST', path, { token, headers })
    expect(await from({ origin: 'https://evil.example' })).toEqual([403, 'CROSS_SITE_REQUEST'])
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toEqual([403, 'CROSS_SITE_REQUEST'])
    expect(services.received).toEqual([])
    expect(await from({ origin: 'http://localhost:21700', 'sec-fetch-site': 'same-origin' })).toEqual([200, null])
    expect(await from({})).toEqual([200, null])
    expect((await gateway.ask('GET', '/api/listings', { headers: { origin: 'https://evil.example' } })).status).toBe(
      200,
    )
    const joined = { token, body: { listingId: 1, amount: '1' }, headers: { origin: 'https://evil.example' } }
    expect(await gateway.codeOf('POST', '/api/transactions', joined)).toEqual([403, 'CROSS_SITE_REQUEST'])
  })

  it('refuses a body that is too large for its route, with and without a declared length', async () => {
    const { token } = services.signIn()
    const path = '/api/transactions/7/tracking'
    const large = Buffer.alloc(MAX_REQUEST_BYTES + 1, ' ')
    expect(await gateway.codeOf('POST', path, { token, body: large })).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await postChunked(gateway.running.port, path, token, large)).toBe(413)
    expect(services.received).toEqual([])
    expect((await gateway.ask('PATCH', '/api/listings/7', { token, body: large })).status).toBe(200)
    expect(services.received[0]!.body.length).toBe(large.length)
  })

  it('accepts only a few large requests at a time', async () => {
    const { token } = services.signIn()
    const slow = sleep(500)
    services.on('listing-svc', 'PATCH', '/api/listings/7', async () => slow.then(() => ({})))
    const body = Buffer.alloc(MAX_REQUEST_BYTES + 1, ' ')
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await gateway.ask('PATCH', '/api/listings/7', { token, body })).status),
    )
    expect(statuses.sort()).toEqual([200, 200, 429])
    expect((await gateway.ask('PATCH', '/api/listings/7', { token, body })).status).toBe(200)
    const tooLarge = { token, body: Buffer.alloc(MAX_IMAGE_REQUEST_BYTES + 1) }
    expect(await gateway.codeOf('PATCH', '/api/listings/7', tooLarge)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('answers every request with the security headers', async () => {
    // The third is refused before its handler runs.
    for (const path of ['/api/listings', '/api/nothing', '/api/transactions', '/healthz']) {
      const { headers } = await gateway.ask('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-request-id')).not.toBeNull()
    }
  })
})

/** Sends a body without declaring its length; returns the status. */
function postChunked(port: number, path: string, token: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `holdfast_session=${token}`, 'content-type': 'application/json' }
    const request = httpRequest({ port, host: '127.0.0.1', path, method: 'POST', headers }, response => {
      response.resume()
      resolve(response.statusCode!)
    })
    request.on('error', reject)
    request.write(body.subarray(0, 1000))
    request.end(body.subarray(1000))
  })
}
