import { readFileSync } from 'node:fs'
import { route } from '@holdfast/contracts/route'
import { z } from 'zod'
import { ApiError, ConnectionError } from './api-error.js'
import {
  call,
  callPage,
  callTagged,
  type HttpRequest,
  type HttpResponse,
  type LightRoute,
  type Send,
  urlOf,
} from './call.js'

const getThing = route({
  method: 'GET',
  path: '/api/things/{id}',
  access: 'public',
  summary: 'x',
  params: z.object({ id: z.coerce.number<number | string>() }),
  query: z.object({ tag: z.array(z.string()).optional(), q: z.string().optional() }),
  response: z.object({ id: z.number() }),
})
const makeThing = route({
  method: 'POST',
  path: '/api/things',
  access: 'user',
  summary: 'x',
  headers: z.object({ 'idempotency-key': z.string() }),
  body: z.object({ name: z.string() }),
})

const answers = (status: number, text: string, headers: Record<string, string> = {}): HttpResponse => {
  const all: Record<string, string> = { 'content-type': 'application/json; charset=utf-8', ...headers }
  return { status, header: name => all[name] ?? null, text: async () => text }
}

/** A `send` that records its requests. */
function recorder(response: HttpResponse): Send & { sent: HttpRequest[] } {
  const sent: HttpRequest[] = []
  const send: Send = async request => {
    sent.push(request)
    return response
  }
  return Object.assign(send, { sent })
}

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('the call was not refused')
    },
    (error: unknown) => error,
  )

describe('call', () => {
  test('fills in path and query, and answers what the server answers', async () => {
    const send = recorder(answers(200, '{"id":7}'))
    const answer = await call(getThing, { params: { id: 7 }, query: { tag: ['a', 'b c'], q: undefined } }, send)
    expect(answer.id).toBe(7)
    expect(send.sent[0]).toMatchObject({ method: 'GET', path: '/api/things/7?tag=a&tag=b+c' })
    expect(send.sent[0]).not.toHaveProperty('body')
  })

  test('sends a JSON body and declared headers', async () => {
    const send = recorder(answers(204, ''))
    const input = { headers: { 'idempotency-key': 'k-1' }, body: { name: 'Lamp' } }
    expect(await call(makeThing, input, send)).toBeUndefined()
    expect(send.sent[0]).toMatchObject({
      body: '{"name":"Lamp"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1' },
    })
  })

  test("needs no more of a route than the web app's light table has, and keeps its types", async () => {
    const light: LightRoute<typeof getThing> = { method: 'GET', path: '/api/things/{id}', access: 'public' }
    const answer: { id: number } = await call(
      light,
      { params: { id: 7 }, query: {} },
      recorder(answers(200, '{"id":7}')),
    )
    expect(answer).toEqual({ id: 7 })
  })

  test('escapes a parameter, so that it cannot change the rest of the path', () => {
    expect(urlOf('/api/users/{id}/x', { params: { id: '../a?b#c' } })).toBe('/api/users/..%2Fa%3Fb%23c/x')
    expect(() => urlOf('/api/users/{id}', { params: {} })).toThrow('needs the parameter id')
  })

  test('throws an error response with its status as message, and keeps the message of the server', async () => {
    const body = { code: 'RATE_LIMITED', message: 'Wait.', details: { fields: { name: 'Required' } }, requestId: 'r-1' }
    const send = recorder(answers(429, JSON.stringify(body), { 'retry-after': '7' }))
    const error = (await caught(call(getThing, { params: { id: 1 }, query: {} }, send))) as ApiError
    expect(error).toBeInstanceOf(ApiError)
    expect(error.message).toBe('429: Too Many Requests')
    expect(error).toMatchObject({
      status: 429,
      statusText: 'Too Many Requests',
      code: 'RATE_LIMITED',
      serverMessage: 'Wait.',
      requestId: 'r-1',
      retryAfterSeconds: 7,
      fields: { name: 'Required' },
    })
  })

  test.each([
    ['<html>502</html>', { 'content-type': 'text/html' }],
    ['not json', {}],
    ['', {}],
    ['"text"', {}],
    ['null', {}],
  ])("raises a proxy's error page the same way (%s)", async (text, headers) => {
    const send = recorder(answers(502, text, { 'x-request-id': 'r-2', ...headers }))
    const error = await caught(call(getThing, { params: { id: 1 }, query: {} }, send))
    expect(error).toMatchObject({ message: '502: Bad Gateway', code: 'INTERNAL', details: null, requestId: 'r-2' })
  })

  test('treats a success that is not JSON as a missing answer', async () => {
    const send = recorder(answers(200, '<html>sign in to this network</html>', { 'content-type': 'text/html' }))
    expect(await caught(call(getThing, { params: { id: 1 }, query: {} }, send))).toBeInstanceOf(ConnectionError)
  })

  test('returns the address of the next page of a list', async () => {
    const page = (link?: string) =>
      callPage(getThing, { params: { id: 1 }, query: {} }, recorder(answers(200, '{"id":1}', link ? { link } : {})))
    expect((await page('</api/things?before=9>; rel="next"')).next).toBe('/api/things?before=9')
    expect((await page('</api/things>; rel="prev"')).next).toBeNull()
    expect((await page()).next).toBeNull()
  })
})

test('the files that the web app imports do not import zod or undici', () => {
  for (const file of ['call.ts', 'api-error.ts', 'send-fetch.ts']) {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    const imports = [...source.matchAll(/^import (?!type)[^'"]*['"]([^'"]+)['"]/gm)].map(match => match[1])
    for (const name of imports)
      expect(['./api-error.js', './call.js', '@holdfast/contracts/status-text']).toContain(name)
  }
})

describe('callTagged', () => {
  test.each(['"7-1"', null])('returns the ETag of the answer: %s', async etag => {
    const send = recorder(answers(200, '{"id":1}', etag ? { etag } : {}))
    expect(await callTagged(getThing, { params: { id: 1 }, query: {} }, send)).toEqual({ answer: { id: 1 }, etag })
  })
})
