import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo, type Server } from 'node:net'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { DomainError } from '@holdfast/kernel/errors'
import { eventually } from '@holdfast/testing/eventually'
import { newObject } from '../test/object-storage.contract.js'
import { MAX_OBJECT_BYTES } from './object-storage.js'
import { S3Storage } from './s3-storage.js'
import { s3Transport } from './s3-transport.js'
import { ObjectDamaged, VerifiedObject } from './verified-object.js'

/** For a test of silence. The others have a limit that they never reach, also on a busy machine. */
const SHORT_MS = 200
const LONG_MS = 60_000
const UNAVAILABLE = new DomainError('UNAVAILABLE')
const LOGIN = { bucket: 'holdfast', accessKey: 'access', secretKey: 'secret', region: 'us-east-1' }

let server: Server | undefined
afterEach(() => void server?.close())

async function listen(made: Server): Promise<number> {
  server = made.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void
const status =
  (code: number, body = ''): Answer =>
  response =>
    response.writeHead(code).end(body)
/** No answer, and nothing is read of the request. */
const unread: Answer = () => {}
const missing = status(404, '<Error><Code>NoSuchKey</Code></Error>')
const complete =
  (bytes: Buffer): Answer =>
  response =>
    response.writeHead(200, { 'content-length': bytes.length, 'content-type': 'image/jpeg' }).end(bytes)

/** What a private bucket without objects answers while it is opened: to the check, to us, and twice to a visitor. */
const opening = [missing, status(200, '<ListBucketResult/>'), status(403), status(403)]

/** The settings of a server that gives these answers in turn. */
async function serverWith(waiting: Answer[]) {
  const requests: IncomingMessage[] = []
  const made = http.createServer(async (request, response) => {
    const answer = waiting.shift()
    requests.push(request)
    if (answer === unread) return
    await buffer(request)
    answer?.(response, request)
  })
  const settings = { host: '127.0.0.1', port: await listen(made), secure: false, ...LOGIN }
  return { settings, requests, made }
}

/** A storage at a server that gives these answers in turn, after those to its opening. */
async function storageWith(answers: Answer[], silenceMs = LONG_MS) {
  const { settings, requests, made } = await serverWith([...opening, ...answers])
  const storage = await S3Storage.open(settings, silenceMs)
  requests.length = 0
  return { storage, requests, made }
}

describe('in production a bucket', () => {
  const [toCheck, toUs, refused] = opening as [Answer, Answer, Answer]

  it.each<[string, Answer[]]>([
    ['that is private', opening],
    ['of a server that takes requests without a login for malformed ones', [toCheck, toUs, status(401), status(400)]],
    ['of a server that does not answer visitors now', [toCheck, toUs, status(503), status(503)]],
  ])('%s is opened', async (_, answers) => {
    const { settings, requests } = await serverWith([...answers])
    await S3Storage.open(settings, LONG_MS, true)
    expect(requests).toHaveLength(answers.length)
    for (const { headers } of requests.slice(2)) expect(headers.authorization).toBeUndefined()
  })

  it.each<[string, Answer[], string]>([
    ['lists its objects', [status(200)], 'a list of its objects without a login, it answered 200'],
    ['reads its objects', [refused, status(404)], 'the object readiness without a login, it answered 404'],
  ])('that %s for a visitor is refused', async (_, answers, message) => {
    const { settings } = await serverWith([toCheck, toUs, ...answers])
    await expect(S3Storage.open(settings, LONG_MS, true)).rejects.toThrow(message)
  })
})

describe('a request to the storage', () => {
  const { key, bytes } = newObject()

  it.each([
    ['an S3 server that is overloaded', status(503, '<Error><Code>SlowDown</Code></Error>')],
    ['a proxy without a server behind it', status(502, '<html><body>Bad Gateway</body></html>')],
    ['a fault of the server', status(500)],
    ['a limit', status(429)],
    ['a writer at the same moment', status(409, '<Error><Code>ConditionalRequestConflict</Code></Error>')],
    ['damage on the way', status(400, '<Error><Code>BadDigest</Code></Error>')],
    ['a connection that ends', (response: ServerResponse) => void response.destroy()],
  ])('is repeated once after %s', async (_, trouble) => {
    const troubledOnce = await storageWith([trouble, complete(bytes)])
    expect(await buffer((await troubledOnce.storage.get(key))!.stream)).toEqual(bytes)
    server?.close()
    const troubledTwice = await storageWith([trouble, trouble, complete(bytes)])
    await expect(troubledTwice.storage.get(key)).rejects.toEqual(UNAVAILABLE)
    expect(troubledTwice.requests).toHaveLength(2)
  })

  it('is not repeated after a silence, which took long already', async () => {
    const { storage, requests } = await storageWith([() => {}], SHORT_MS)
    await expect(storage.get(key)).rejects.toEqual(UNAVAILABLE)
    expect(requests).toHaveLength(1)
  })

  it('fails in time when a server stops reading what is written', async () => {
    const large = newObject(MAX_OBJECT_BYTES)
    const { storage, requests } = await storageWith([status(404), unread], SHORT_MS)
    await expect(storage.put(large.key, large.bytes, 'image/jpeg')).rejects.toEqual(UNAVAILABLE)
    expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'PUT'])
  })

  it('fails in time when a server does not answer in the beginning of TLS', async () => {
    const port = await listen(net.createServer())
    const storage = await S3Storage.open({ host: '127.0.0.1', port, secure: true, ...LOGIN }, SHORT_MS)
    await expect(storage.get(key)).rejects.toEqual(UNAVAILABLE)
  })

  it('has the hash of what is stored in its signature, its type, and the condition that nothing is there', async () => {
    const { storage, requests } = await storageWith([status(404), status(200)])
    await storage.put(key, bytes, 'image/webp')
    expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'PUT'])
    expect(requests[1]?.headers).toMatchObject({
      'x-amz-content-sha256': key,
      authorization: expect.stringMatching(/SignedHeaders=[a-z0-9;-]*x-amz-content-sha256/),
      'content-type': 'image/webp',
      'if-none-match': '*',
    })
  })

  it('removes an object without a version at a server that cannot list versions, and only there', async () => {
    const listing = status(501, '<Error><Code>NotImplemented</Code></Error>')
    const { storage, requests } = await storageWith([listing, status(204)])
    await storage.remove(key)
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
    expect(requests[1]?.url).toBe(`/${LOGIN.bucket}/${key}`)
    server?.close()
    const forbidden = await storageWith([status(403, '<Error><Code>AccessDenied</Code></Error>'), status(204)])
    await expect(forbidden.storage.remove(key)).rejects.toThrow('AccessDenied')
    expect(forbidden.requests).toHaveLength(1)
  })

  it('reads an object of a type that nobody stores as bytes of no type', async () => {
    const { storage } = await storageWith([
      response => response.writeHead(200, { 'content-length': bytes.length, 'content-type': 'text/html' }).end(bytes),
    ])
    const found = await storage.get(key)
    expect(found?.contentType).toBe('application/octet-stream')
    found?.stream.destroy()
  })
})

describe('the bytes of an object', () => {
  const { key, bytes } = newObject(1_000_000)
  const beginning: Answer = response => {
    response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 900_000))
  }

  const brokenOff: Answer = (response, request) => {
    beginning(response, request)
    process.nextTick(() => response.destroy())
  }
  it.each<[string, Answer, number]>([
    ['is broken off', brokenOff, LONG_MS],
    ['stops', beginning, SHORT_MS],
  ])('fail their reader when the answer %s', async (_, answer, silenceMs) => {
    const { storage } = await storageWith([answer], silenceMs)
    const found = await storage.get(key)
    await expect(buffer(found!.stream)).rejects.toEqual(UNAVAILABLE)
  })

  it.each(['at once', 'in the middle'])('free their connection when the reader leaves %s', async when => {
    const { storage, made } = await storageWith([beginning])
    const found = await storage.get(key)
    if (when === 'in the middle') await found!.stream[Symbol.asyncIterator]().next()
    found!.stream.destroy()
    const connections = () => new Promise<number>(resolve => made.getConnections((_, count) => resolve(count)))
    await eventually(async () => (await connections()) === 0)
  })

  it('leave no listener on their connection when the reader has taken a break', async () => {
    const port = await listen(http.createServer((_, response) => response.end(bytes)))
    const { request } = s3Transport(false, LONG_MS)
    const sent = request({ host: '127.0.0.1', port }, () => {}).end()
    const [response]: IncomingMessage[] = await once(sent, 'response')
    const { socket } = response!
    const own = new Set(socket.listeners('timeout'))
    response!.pause()
    socket.emit('timeout')
    const added = socket.listeners('timeout').filter(listener => !own.has(listener))
    expect(added).toHaveLength(1)
    response!.resume()
    await once(response!, 'close')
    expect(socket.listeners('timeout')).not.toContain(added[0])
  })

  it('do not reach their reader completely before their hash is known', async () => {
    const source = new PassThrough()
    const object = new VerifiedObject(source, newObject().key)
    let received = 0
    object.on('data', chunk => {
      received += chunk.length
    })
    source.write(bytes.subarray(0, 10))
    source.write(bytes.subarray(10))
    await eventually(() => received === 10)
    await setImmediate()
    expect(received).toBe(10)
    source.end()
    await expect(once(object, 'end')).rejects.toThrow(ObjectDamaged)
    expect(received).toBe(10)
  })

  it('that fail before anybody reads them end no process, and fail the reader who comes later', async () => {
    const source = new PassThrough()
    const object = new VerifiedObject(source, key)
    source.destroy(new Error('the connection has ended'))
    await eventually(() => object.destroyed)
    await expect(buffer(object)).rejects.toEqual(UNAVAILABLE)
  })
})
