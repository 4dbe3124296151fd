import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { RunningGateway } from '../../test/running-gateway.js'

// fetch adds `accept-encoding` and decompresses by itself, so the tests use undici's own request.
describe('an answer of the API', () => {
  const gateway = new RunningGateway()
  const answer = { items: Array.from({ length: 100 }, (_, id) => ({ id, title: 'A chair made of oak' })) }
  const longAnswer = { text: 'x'.repeat(300_000) }

  beforeAll(async () => {
    await gateway.start()
    gateway.services.on('listing-svc', 'GET', '/api/listings', () => answer)
    gateway.services.on('listing-svc', 'GET', '/api/listings/7', () => longAnswer)
    gateway.services.on('listing-svc', 'GET', '/api/listings/8', () => ({ id: 8 }))
  })
  afterAll(() => gateway.stop())

  async function ask(path: string, encoding?: string, more: Record<string, string> = {}) {
    const { headers, body } = await request(`${gateway.origin}${path}`, {
      headers: { ...more, ...(encoding ? { 'accept-encoding': encoding } : {}) },
    })
    return { headers, bytes: Buffer.from(await body.arrayBuffer()) }
  }
  const parsed = (response: Response) => response.json()

  it.each(['br', 'gzip'])('is sent with %s to a client that accepts it', async encoding => {
    const { headers, bytes } = await ask('/api/listings', encoding)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toContain('accept-encoding')
    expect(bytes.length).toBeLessThan(JSON.stringify(answer).length / 4)
    expect(await parsed(await gateway.ask('GET', '/api/listings'))).toEqual(answer)
  })

  it('is compressed and complete also when it is streamed', async () => {
    const { headers, bytes } = await ask('/api/listings/7', 'gzip')
    expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', undefined])
    expect(bytes.length).toBeLessThan(10_000)
    expect(await parsed(await gateway.ask('GET', '/api/listings/7'))).toEqual(longAnswer)
  })

  it('is not compressed when it is short, or when the client accepts no compression', async () => {
    expect((await ask('/api/listings/8', 'br')).headers['content-encoding']).toBeUndefined()
    const plain = await ask('/api/listings')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(plain.bytes.toString())).toEqual(answer)
  })

  it('is not compressed when a page of another site asked for it', async () => {
    const encodings = ['cross-site', 'same-site', 'same-origin', 'none'].map(async site => {
      const { headers } = await ask('/api/listings', 'br', { 'sec-fetch-site': site })
      return headers['content-encoding']
    })
    expect(await Promise.all(encodings)).toEqual([undefined, undefined, 'br', 'br'])
  })

  it('is given to a request with a compressed body, which is forwarded unchanged', async () => {
    const compressed = gzipSync('{"email":"a@example.com","password":"a good password"}')
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const { body } = await request(`${gateway.origin}/api/auth/login`, { method: 'POST', headers, body: compressed })
    await body.dump()
    expect(gateway.services.received.at(-1)!.body).toEqual(compressed)
  })
})
