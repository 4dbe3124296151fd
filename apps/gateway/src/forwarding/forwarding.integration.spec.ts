import { ACTOR_HEADER } from '@holdfast/service-kit/actor'
import { parseConfig } from '@holdfast/service-kit/config'
import { type RunningService, startService } from '@holdfast/service-kit/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { FakeServices } from '../../test/fake-services.js'
import { FakeTransport } from '../../test/fake-transport.js'
import { gatewayShape } from '../config.js'
import { gateway } from '../gateway.js'

describe('the door', () => {
  const services = new FakeServices()
  let door: RunningService
  let origin: string

  beforeAll(async () => {
    await services.start()
    door = await startService(gateway(parseConfig(gatewayShape, services.environment()), new FakeTransport()))
    origin = `http://127.0.0.1:${door.port}`
  })
  afterAll(async () => {
    await door.close()
    await services.stop()
  })
  beforeEach(() => {
    services.received.length = 0
  })

  const ask = (method: string, path: string, { token, headers, body }: Asked = {}) =>
    fetch(origin + path, {
      method,
      headers: { ...(token ? { cookie: `other=1; holdfast_session=${token}` } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    })

  it('forwards a read with who asks, and answers its bytes and headers', async () => {
    const { token, user } = services.signIn()
    services.on('escrow-svc', 'GET', '/api/transactions/7/timeline', (_, reply) =>
      reply.header('etag', '"v1"').header('link', '</x>; rel="next"').header('x-inner', 'secret').send('[1, 2]'),
    )
    const answer = await ask('GET', '/api/transactions/7/timeline?x=1', { token })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('[1, 2]')
    expect(answer.headers.get('etag')).toBe('"v1"')
    expect(answer.headers.get('link')).toBe('</x>; rel="next"')
    expect(answer.headers.get('x-inner')).toBeNull()
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const [received] = services.received
    expect(received!.url).toBe('/api/transactions/7/timeline?x=1')
    expect(received!.caller).toEqual({ caller: 'gateway', actor: user, clientIp: '127.0.0.1' })
    expect(received!.headers['x-request-id']).toBe(answer.headers.get('x-request-id'))
  })

  it('never passes cookies or forged headers on', async () => {
    const { token, user } = services.signIn()
    const headers = { [ACTOR_HEADER]: 'v1.forged.forged', 'x-forwarded-for': '6.6.6.6', 'x-holdfast-admin': '1' }
    await ask('POST', '/api/transactions/7/accept', { token, headers })
    const [received] = services.received
    expect(received!.caller!.actor).toEqual(user)
    expect(received!.caller!.clientIp).toBe('127.0.0.1')
    expect(received!.headers.cookie).toBeUndefined()
    expect(received!.headers['x-forwarded-for']).toBeUndefined()
    expect(received!.headers['x-holdfast-admin']).toBeUndefined()
  })

  it('tells 404, 405, 401 and 403 apart', async () => {
    const { token } = services.signIn()
    expect(await codeOf(ask('GET', '/api/nothing'))).toEqual([404, 'NOT_FOUND'])
    expect(await codeOf(ask('POST', '/api/nothing'))).toEqual([404, 'NOT_FOUND'])
    const wrong = await ask('PUT', '/api/transactions/7/accept')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await codeOf(ask('POST', '/api/transactions/7/accept'))).toEqual([401, 'UNAUTHENTICATED'])
    expect(await codeOf(ask('GET', '/api/admin/ledger/trial-balance', { token }))).toEqual([403, 'FORBIDDEN'])
    expect(await codeOf(ask('POST', '/internal/transactions', { token }))).toEqual([404, 'NOT_FOUND'])
    expect(services.received).toEqual([])
  })
})

interface Asked {
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

async function codeOf(answer: Promise<Response>): Promise<[number, string]> {
  const response = await answer
  return [response.status, ((await response.json()) as { code: string }).code]
}
