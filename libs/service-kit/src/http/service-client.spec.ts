import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@holdfast/http-client/api-error'
import { call } from '@holdfast/http-client/call'
import { ACTOR_KEYS, ana, keys } from '../../test/signed-calls.js'
import { routes, tinyService } from '../../test/tiny-service.js'
import { type RunningService, startService } from '../lifecycle/service.js'
import { requestContext } from '../telemetry/logging.js'
import { ServiceClient } from './service-client.js'

let service: RunningService
let client: ServiceClient

beforeAll(async () => {
  service = await startService(tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS }))
  const origin = `http://127.0.0.1:${service.port}`
  client = new ServiceClient({ caller: 'gateway', callee: 'listing-svc', origin, keys })
})
afterAll(async () => {
  await client.close()
  await service.close()
})

describe('a call to another service', () => {
  test('carries the user, their address and the id of the request', async () => {
    const requestId = '0197a000-0000-7000-8000-00000000abcd'
    const answer = await requestContext.run({ requestId }, () =>
      call(routes.whoAmI, {}, client.as({ actor: ana, clientIp: '203.0.113.7' })),
    )
    expect(answer).toEqual({ id: 'ana', requestId, ip: '203.0.113.7' })
  })

  test('can be made for a visitor, or by the service itself', async () => {
    expect((await call(routes.whoAmI, {}, client.as({ actor: null }))).id).toBeNull()
    const own = new ServiceClient({
      caller: 'dispute-svc',
      callee: 'listing-svc',
      origin: `http://127.0.0.1:${service.port}`,
      keys,
    })
    expect(await call(routes.freeze, {}, own.as())).toEqual({ by: 'dispute-svc' })
    await own.close()
  })

  test('throws when the service refuses', async () => {
    const refused = call(routes.getThing, { params: { id: 'x' } }, client.as({ actor: null }))
    await expect(refused).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
    await expect(refused).rejects.toBeInstanceOf(ApiError)
  })

  test('leaves its idle connections to a service that is about to end, before the service closes them', async () => {
    const ending = await startService(tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS }))
    const server = ending.app.getHttpServer() as Server
    const connections = () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      })
    const origin = `http://127.0.0.1:${ending.port}`
    const caller = new ServiceClient({ caller: 'gateway', callee: 'listing-svc', origin, keys })
    const ask = () => call(routes.whoAmI, {}, caller.as({ actor: null }))
    await Promise.all(Array.from({ length: 8 }, ask))
    const closed = ending.close()
    while (server.listening) await sleep(10)
    expect(await connections()).toBe(8)
    await ask()
    // The service itself closes only connections that were idle for longer. Turns are counted: a busy machine keeps both sides waiting.
    for (let turn = 0; turn < 30 && (await connections()) > 0; turn++) await sleep(10)
    expect(await connections()).toBe(0)
    await closed
    await caller.close()
  })
})
