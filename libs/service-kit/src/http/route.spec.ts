import { connect } from 'node:net'
import { ACTOR_KEYS, ana, callSigned, json, mediator, type SignedCall } from '../../test/signed-calls.js'
import { tinyService } from '../../test/tiny-service.js'
import { type RunningService, startService } from '../lifecycle/service.js'
import { MAX_JSON_VALUES } from './json-values.js'

let service: RunningService
let origin: string

beforeAll(async () => {
  service = await startService(tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS }))
  origin = `http://127.0.0.1:${service.port}`
})
afterAll(() => service.close())

const call = (signed: SignedCall) => callSigned(origin, signed)
const make = (body: unknown, more: Partial<SignedCall> = {}) =>
  call({ path: '/api/things', method: 'POST', actor: ana, ...json(body), ...more })

describe('an answer', () => {
  test('has the status of its route and only the fields of its contract', async () => {
    const { status, json } = await call({ path: '/api/things/7' })
    expect(status).toBe(200)
    expect(json).toEqual({ id: 7, name: 'thing', tags: [] })
    expect((await make({ name: 'Lamp' })).status).toBe(201)
  })

  test('that does not match its contract is not sent, and is a fault of ours', async () => {
    const { status, json } = await call({ path: '/api/misfit' })
    expect(status).toBe(500)
    expect(json).toMatchObject({ code: 'INTERNAL', details: null })
    expect(JSON.stringify(json)).not.toContain('12.5')
  })

  test('without content has no body', async () => {
    const { status, json } = await call({ path: '/api/things/7', method: 'DELETE', actor: mediator })
    expect([status, json]).toEqual([204, {}])
  })

  test('to an unexpected error has only the request id', async () => {
    const { status, json, headers } = await call({ path: '/api/fault' })
    expect(status).toBe(500)
    expect(JSON.stringify(json)).not.toContain('recipe')
    expect(json.requestId).toBe(headers.get('x-request-id'))
  })

  test('to a refusal has code, message, details and request id', async () => {
    const { status, json, headers } = await call({ path: '/api/refusal' })
    expect(status).toBe(409)
    expect(json).toMatchObject({ code: 'ESCROW_WRONG_STATE', details: { from: 'pending', allowed: ['paid'] } })
    expect(json.error).toBe(json.message)
    expect(json.requestId).toBe(headers.get('x-request-id'))
  })
})

describe('who may call', () => {
  test('a caller without a valid signature is refused', async () => {
    const response = await fetch(`${origin}/api/things/7`)
    expect(response.status).toBe(403)
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a caller without a signature is refused before its body is read', async () => {
    const response = await fetch(`${origin}/api/things`, { method: 'POST', body: '{', headers: json('').headers })
    expect(response.status).toBe(403)
  })

  test('a user route needs a signed-in user, and an admin route is not there for who is no admin', async () => {
    expect((await make({ name: 'x' }, { actor: null })).status).toBe(401)
    expect((await make({ name: 'x' }, { actor: { kind: 'service', name: 'gateway' } })).status).toBe(401)
    const remove = { path: '/api/things/7', method: 'DELETE' }
    expect((await call({ ...remove, actor: ana })).status).toBe(404)
    expect((await call(remove)).status).toBe(404)
  })

  test('a visitor route accepts everyone, and its handler gets the user', async () => {
    expect((await call({ path: '/api/me' })).json).toMatchObject({ id: null, ip: '203.0.113.9' })
    expect((await call({ path: '/api/me', actor: ana })).json).toMatchObject({ id: 'ana' })
  })

  test('an internal route accepts only the services that it names', async () => {
    const freeze = { path: '/internal/freeze', method: 'POST' }
    expect((await call({ ...freeze, caller: 'dispute-svc' })).json).toEqual({ by: 'dispute-svc' })
    expect((await call({ ...freeze, actor: mediator })).status).toBe(403)
    expect((await call({ path: '/api/things/7', caller: 'dispute-svc' })).status).toBe(403)
  })
})

describe('the request id', () => {
  const given = '0197a000-0000-7000-8000-00000000abcd'

  test('of a signed caller is kept', async () => {
    const { json, headers } = await call({ path: '/api/me', headers: { 'x-request-id': given } })
    expect([json.requestId, headers.get('x-request-id')]).toEqual([given, given])
  })

  test('of an unsigned caller, or a malformed one, is replaced', async () => {
    const unsigned = await fetch(`${origin}/api/me`, { headers: { 'x-request-id': given } })
    expect(unsigned.headers.get('x-request-id')).not.toBe(given)
    const malformed = await call({ path: '/api/me', headers: { 'x-request-id': 'a b; c="d"' } })
    expect(malformed.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('input', () => {
  test.each(['0', '-1', '1.5', '1e3', 'abc', '9999999999', '%00', '..%2f..', '7%20'])(
    'with the malformed id %s is not found',
    async id => {
      const { status, json } = await call({ path: `/api/things/${id}` })
      expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
    },
  )

  test('is refused field by field, without the name of the part', async () => {
    const body = { name: '', count: 1001, tags: [{ label: 'a' }, { label: 5 }] }
    const { status, json } = await make(body, { path: '/api/things?dry=maybe' })
    expect([status, json.code]).toEqual([400, 'VALIDATION_FAILED'])
    const { fields } = json.details as { fields: Record<string, string> }
    expect(Object.keys(fields).sort()).toEqual(['count', 'dry', 'name', 'tags.1.label'])
    expect(fields.name).toBe('Required')
  })

  test.each([
    ['nothing', undefined, 'name'],
    ['an empty body', '', 'name'],
    ['null', 'null', 'body'],
    ['an array', '[1]', 'body'],
    ['a text', '"x"', 'body'],
    ['an infinite number', '{"name":"x","count":1e400}', 'count'],
    ['a NUL character', '{"name":"a\\u0000b"}', 'name'],
    ['half a surrogate pair', '{"name":"\\ud800"}', 'name'],
    ['a NUL in an undeclared field', '{"name":"x","more":"\\u0000"}', 'more'],
    ['deep nesting', `{"name":"x","extra":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`, undefined],
  ])('that is %s names the field', async (_, text, field) => {
    const more = text === undefined ? { headers: {}, body: undefined } : {}
    const { status, json } = await make(text ?? '', more)
    expect([status, json.code]).toEqual([400, 'VALIDATION_FAILED'])
    const { fields } = json.details as { fields: Record<string, string> }
    if (field) expect(Object.keys(fields)).toContain(field)
  })

  test.each([
    ['broken JSON', '{"name":'],
    ['no JSON', 'name=x'],
    ['a poisoned prototype', '{"name":"x","__proto__":{"admin":true}}'],
    ['a poisoned constructor', '{"name":"x","constructor":{"prototype":{"admin":true}}}'],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])('that is %s cannot be read', async (_, body) => {
    const { status, json: answer } = await make('', { body })
    expect([status, answer.code]).toEqual([400, 'MALFORMED_REQUEST'])
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'x',
  ])('of type %s is refused', async type => {
    const { status, json: answer } = await make('', { body: 'name=x', headers: { 'content-type': type } })
    expect([status, answer.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('with the name of a property that every object has is harmless', async () => {
    for (const key of ['toString', 'hasOwnProperty', 'constructor', 'valueOf']) {
      expect((await make(`{"name":"x","${key}":1,"extra":{"${key}":1}}`)).status).toBe(201)
    }
    expect(
      (
        await call({
          path: '/api/things?dry=no&__proto__=1&constructor=2',
          method: 'POST',
          actor: ana,
          ...json({ name: 'x' }),
        })
      ).status,
    ).toBe(201)
  })

  test('larger than the route allows is 413', async () => {
    const { status, json: answer } = await make({ name: 'x'.repeat(1024 * 1024) })
    expect([status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const raw = { path: '/api/hook', method: 'POST', headers: { 'content-type': 'text/plain' } }
    expect((await call({ ...raw, body: 'x'.repeat(2049) })).status).toBe(413)
  })

  test.each([
    ['lists', '[],', '[]'],
    ['objects', '{},', '{}'],
    ['numbers', '0,', '0'],
  ])('with too many %s is 413, although they take few bytes', async (_, each, last) => {
    const list = (count: number) => `{"name":"x","extra":{"a":[${each.repeat(count)}${last}]}}`
    expect((await make(list(MAX_JSON_VALUES / 3))).status).toBe(201)
    const { status, json: answer } = await make(list(MAX_JSON_VALUES))
    expect([status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('of a raw route is passed as bytes, of any type', async () => {
    const raw = { path: '/api/hook', method: 'POST' }
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      const { json: answer } = await call({ ...raw, headers: { 'content-type': type }, body: '{"a" : 1}' })
      expect(answer).toEqual({ length: 9, text: '{"a" : 1}', key: expect.any(String) })
    }
  })

  test.each(['', ' ', 'ä', 'x'.repeat(129), 'a b'])('with the idempotency key "%s" is refused', async key => {
    const encoded = Buffer.from(key).toString('latin1')
    const { status, json: answer } = await make(
      { name: 'x' },
      { headers: { ...json('').headers, 'idempotency-key': encoded } },
    )
    expect([status, answer.code]).toEqual([400, 'VALIDATION_FAILED'])
  })
})

describe('a path', () => {
  test('that does not exist is 404', async () => {
    const { status, json: answer } = await call({ path: '/api/nothing' })
    expect([status, answer.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('that exists only for other methods is 405 and names them, except those of admins', async () => {
    const { status, json: answer, headers } = await call({ path: '/api/things/7?x=1', method: 'PUT' })
    expect([status, answer.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(headers.get('allow')).toBe('GET, HEAD')
  })

  test('that is malformed is refused with the usual error body', async () => {
    for (const path of ['/api/things/%zz', `/api/things/${'9'.repeat(5000)}`]) {
      const { status, json: answer } = await call({ path })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(answer).toMatchObject({ code: expect.any(String), requestId: expect.any(String) })
    }
  })
})

/** Sends bytes, and returns what the server sent until it closed the connection. */
function sendBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(service.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', data => {
      answer += data
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
  })
}

describe('bytes that are not HTTP', () => {
  test.each([
    ['nonsense', 'hello\r\n\r\n'],
    ['a header too large', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ])('(%s) are answered 400 with the usual error body', async (_, bytes) => {
    const answer = await sendBytes(bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(answer).toContain('"code":"MALFORMED_REQUEST"')
  })
})
