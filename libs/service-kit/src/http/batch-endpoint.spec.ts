import {
  type BatchedAnswerHead,
  type BatchedRequestHead,
  batchRoute,
  MAX_BATCHED_REQUESTS,
} from '@holdfast/contracts/batches'
import { encodeFrame, FrameReader } from '@holdfast/http-client/batch-frames'
import { ACTOR_KEYS, ana, keys } from '../../test/signed-calls.js'
import { tinyService } from '../../test/tiny-service.js'
import { ACTOR_HEADER, signActor } from '../auth/actor.js'
import { contentOf } from '../auth/signed-content.js'
import { type RunningService, startService } from '../lifecycle/service.js'
import { registry } from '../telemetry/metrics.js'
import { ServiceClient } from './service-client.js'

let service: RunningService
let client: ServiceClient
let origin: string

beforeAll(async () => {
  service = await startService(tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS }))
  origin = `http://127.0.0.1:${service.port}`
  client = new ServiceClient({ caller: 'gateway', callee: 'listing-svc', origin, keys })
})
afterAll(async () => {
  await client.close()
  await service.close()
})

type Item = Partial<BatchedRequestHead> & { readonly route: string; readonly body?: string | Buffer }

const MAKE = { route: 'POST /api/things', headers: { 'content-type': 'application/json' } }
const thing = (id: string): Item => ({ route: 'GET /api/things/{id}', params: { id } })
const whoAmI = (more: Partial<BatchedRequestHead> = {}): Item => ({ route: 'GET /api/me', ...more })

function bytesOf(items: readonly Item[]): Buffer {
  const common = { params: {}, query: {}, headers: {}, actor: null, clientIp: null }
  return Buffer.concat(
    items.flatMap(({ body, ...head }, i) =>
      encodeFrame({ requestId: `request-${i}`, ...common, ...head }, body === undefined ? null : Buffer.from(body)),
    ),
  )
}

interface Answer {
  readonly index: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: Record<string, unknown>
}

/** Sends bytes as a batch. Returns its status, and the answers in the order in which they came. */
async function send(bytes: Buffer, headers = client.headersForBatch(bytes)) {
  const type = { 'content-type': 'application/octet-stream' }
  const response = await fetch(origin + batchRoute.path, {
    method: 'POST',
    headers: { ...type, ...headers },
    body: bytes,
  })
  const answers: Answer[] = []
  if (response.status !== 200)
    return { status: response.status, answers, json: (await response.json()) as { code: string } }
  const reader = new FrameReader<BatchedAnswerHead>(100_000)
  for await (const piece of response.body!) {
    for (const { head, body } of reader.push(Buffer.from(piece))) {
      answers.push({ ...head, json: body.length === 0 ? {} : JSON.parse(body.toString()) })
    }
  }
  expect(reader.isAtEnd).toBe(true)
  return { status: 200, answers, json: null }
}

/** The answers of a batch, in the order of its requests. */
async function answersTo(...items: Item[]): Promise<Answer[]> {
  const { status, answers } = await send(bytesOf(items))
  expect(status).toBe(200)
  return answers.sort((a, b) => a.index - b.index)
}

describe('each request of a batch', () => {
  test('has its own actor, request id and client address', async () => {
    const [first, second] = await answersTo(
      whoAmI({ actor: ana, requestId: 'request-of-ana', clientIp: '203.0.113.7' }),
      whoAmI({ requestId: 'request-of-a-visitor', clientIp: '2001:db8::1' }),
    )
    expect(first!.json).toEqual({ id: 'ana', requestId: 'request-of-ana', ip: '203.0.113.7' })
    expect(second!.json).toEqual({ id: null, requestId: 'request-of-a-visitor', ip: '2001:db8::1' })
  })

  test('is answered as if it had come alone', async () => {
    const answers = await answersTo(
      thing('7'),
      { ...MAKE, actor: ana, body: '{"name":"Lamp"}' },
      { route: 'POST /api/hook', body: Buffer.from([0xff, 0x00]) },
    )
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [200, { id: 7, name: 'thing', tags: [] }],
      [201, { id: 1, name: 'Lamp', tags: [] }],
      [200, { length: 2, text: '\ufffd\u0000', key: expect.any(String) }],
    ])
    expect(answers[0]!.headers).toEqual({ 'content-type': 'application/json; charset=utf-8' })
  })

  test('is refused alone', async () => {
    const answers = await answersTo(
      thing('x'),
      { ...MAKE, body: '{"name":"Lamp"}' },
      { ...MAKE, actor: ana, body: '{"name":""}' },
      { ...MAKE, actor: ana, body: '{' },
      { ...MAKE, actor: ana, body: '{"name":"x","__proto__":{}}' },
      { ...MAKE, actor: ana, body: 'name=Lamp', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { ...MAKE, actor: ana, body: '{"name":"Lamp"}', headers: { ...MAKE.headers, 'idempotency-key': 'with space' } },
      { route: 'GET /api/refusal' },
      { route: 'GET /api/fault' },
      { route: 'GET /api/misfit' },
      thing('8'),
    )
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [404, 'NOT_FOUND'],
      [401, 'UNAUTHENTICATED'],
      [400, 'VALIDATION_FAILED'],
      [400, 'MALFORMED_REQUEST'],
      [400, 'MALFORMED_REQUEST'],
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
      [400, 'VALIDATION_FAILED'],
      [409, 'ESCROW_WRONG_STATE'],
      [500, 'INTERNAL'],
      [500, 'INTERNAL'],
      [200, undefined],
    ])
    expect(answers[8]!.json).toMatchObject({ requestId: 'request-8', details: null })
    expect(JSON.stringify(answers)).not.toContain('recipe')
  })

  test('is answered as soon as it is ready: a slow one delays no other', async () => {
    const { answers } = await send(bytesOf([{ route: 'GET /api/slow' }, thing('1'), thing('2')]))
    expect(answers.map(({ index }) => index)).toEqual([1, 2, 0])
  })

  test('has a key of its own when the client sent none, and the same when the batch is sent again', async () => {
    const hook = { route: 'POST /api/hook', body: 'x' }
    const bytes = bytesOf([hook, hook, { ...hook, headers: { 'idempotency-key': 'mine' } }])
    const headers = client.headersForBatch(bytes)
    const keysOf = async (signature: Record<string, string>) =>
      (await send(bytes, signature)).answers.sort((a, b) => a.index - b.index).map(answer => answer.json.key)
    const [first, second, third] = await keysOf(headers)
    expect(await keysOf(headers)).toEqual([first, second, third])
    expect(new Set([first, second, ...(await keysOf(client.headersForBatch(bytes)))]).size).toBe(5)
    expect(third).toBe('mine')
  })

  test('is counted under its own route', async () => {
    const count = async () =>
      /http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/api\/things\/:id",http_response_status_code="200"[^}]*} (\d+)/.exec(
        await registry.metrics(),
      )?.[1]
    const before = Number(await count())
    await answersTo(thing('1'), thing('2'))
    expect(Number(await count())).toBe(before + 2)
  })
})

describe('a batch is refused whole, and nothing of it is begun', () => {
  /** How many requests of batches the service has handled. */
  async function handled(): Promise<number> {
    const counts = (await registry.metrics()).matchAll(/^http_server_request_duration_seconds_count\{(.*)\} (\d+)$/gm)
    const ofRequests = [...counts].filter(([, labels]) => !labels!.includes(batchRoute.path))
    return ofRequests.reduce((sum, [, , count]) => sum + Number(count), 0)
  }
  /** Status and code of the answer to a batch. Expects that no request of it is handled. */
  async function refusalOf(...sent: Parameters<typeof send>) {
    const before = await handled()
    const { status, json } = await send(...sent)
    // What was begun before is over when this is answered.
    await answersTo(whoAmI())
    expect(await handled()).toBe(before + 1)
    return [status, json?.code]
  }

  const items = bytesOf([whoAmI({ actor: ana }), thing('1')])
  const forged = Buffer.from(items.toString().replace('"id":"ana"', '"id":"bob"'))

  test('when its body was changed after it was signed', async () => {
    expect(await refusalOf(forged, client.headersForBatch(items))).toEqual([403, 'FORBIDDEN'])
  })

  test('when the signature does not cover the body', async () => {
    const headers = client.headersFor({ ...batchRoute, headers: {} }, { actor: null })
    expect(await refusalOf(items, headers)).toEqual([403, 'FORBIDDEN'])
  })

  test('when it is signed by a service that may not send batches', async () => {
    const binding = { keys, callee: 'listing-svc', method: 'POST', path: batchRoute.path, now: new Date() } as const
    const from = { caller: 'dispute-svc', actor: null, clientIp: null } as const
    const headers = { [ACTOR_HEADER]: signActor(from, contentOf({}, items), binding) }
    expect(await refusalOf(items, headers)).toEqual([403, 'FORBIDDEN'])
  })

  test.each([
    [
      'a request for a route that is not batched',
      bytesOf([thing('1'), { route: 'DELETE /api/things/{id}', actor: ana }]),
    ],
    ['a request for an internal route', bytesOf([thing('1'), { route: 'POST /internal/freeze' }])],
    ['a request for an unknown route', bytesOf([thing('1'), { route: 'GET /api/nothing' }])],
    ['a request that is cut off', bytesOf([thing('1'), { ...MAKE, body: '{"name":"Lamp"}' }]).subarray(0, -1)],
    ['no request', Buffer.alloc(0)],
    ['too many requests', bytesOf(Array.from({ length: MAX_BATCHED_REQUESTS + 1 }, () => thing('1')))],
    ['something else', Buffer.from('{"requests":[]}')],
  ])('when it holds %s', async (_, bytes) => {
    expect(await refusalOf(bytes)).toEqual([400, 'MALFORMED_REQUEST'])
  })
})
