import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '@holdfast/kernel/errors'
import { newObject } from '../test/object-storage.contract.js'
import { S3Bucket } from '../test/s3-bucket.js'
import { MAX_OBJECT_BYTES } from './object-storage.js'
import { S3Storage } from './s3-storage.js'

/** Shorter than in production, so that a test of a silent server does not take long. */
const SILENCE_MS = 1_500
/** How much later than that a test may see it, on a busy machine. */
const LATE_MS = 4_000
const UNAVAILABLE = new DomainError('UNAVAILABLE')

let bucket: S3Bucket
/** With the limit of production. */
let storage: S3Storage
let impatient: S3Storage
beforeAll(async () => {
  bucket = await S3Bucket.start(true)
  storage = await S3Storage.open(bucket.settings)
  impatient = await S3Storage.open(bucket.settings, SILENCE_MS)
})
afterAll(() => bucket.stop())

const large = newObject(MAX_OBJECT_BYTES)
/** The largest object, so that most of it is not sent yet when a test has read its beginning. */
async function begun() {
  await storage.put(large.key, large.bytes, 'image/jpeg')
  const found = await impatient.get(large.key)
  const chunks = found!.stream[Symbol.asyncIterator]()
  await chunks.next()
  return chunks
}

async function restOf(chunks: AsyncIterator<Buffer>) {
  let length = 0
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) length += next.value.length
  return length
}

/** How long a promise takes until it rejects as the storage does when it is away. */
async function msUntilUnavailable(work: Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await expect(work).rejects.toEqual(UNAVAILABLE)
  return performance.now() - begin
}

it('a server that is killed while an object is read fails the reader', async () => {
  const chunks = await begun()
  await bucket.engine.process.kill()
  await expect(restOf(chunks)).rejects.toEqual(UNAVAILABLE)
  await bucket.engine.process.start()
})

it('a server that is killed before a reader begins fails the reader, and nothing else', async () => {
  const { key, bytes } = newObject(8_000_000)
  await storage.put(key, bytes, 'image/jpeg')
  const found = await storage.get(key)
  await bucket.engine.process.kill()
  await expect(buffer(found!.stream)).rejects.toEqual(UNAVAILABLE)
  await bucket.engine.process.start()
})

it('a server that is killed while an object is written has all of it or nothing', async () => {
  const { key, bytes } = newObject(MAX_OBJECT_BYTES)
  const put = storage.put(key, bytes, 'image/jpeg')
  const outcome = put.then(
    () => 'stored',
    (error: unknown) => error,
  )
  await sleep(20)
  await bucket.engine.process.kill()
  const stored = (await outcome) === 'stored'
  if (!stored) expect(await outcome).toEqual(UNAVAILABLE)
  await bucket.engine.process.start()
  const found = await storage.get(key)
  if (found || stored) expect(bytes.equals(await buffer(found!.stream))).toBe(true)
  await storage.put(key, bytes, 'image/jpeg')
  expect(bytes.equals(await buffer((await storage.get(key))!.stream))).toBe(true)
})

it('a server that was restarted serves the next request, although the kept connections have ended', async () => {
  const { key, bytes } = newObject()
  await Promise.all(Array.from({ length: 4 }, () => storage.put(key, bytes, 'image/jpeg')))
  await bucket.engine.process.kill()
  await bucket.engine.process.start()
  expect(await buffer((await storage.get(key))!.stream)).toEqual(bytes)
})

it('a server that answers nothing more fails every request in time', async () => {
  const { key, bytes } = newObject()
  const chunks = await begun()
  bucket.engine.process.pause()
  const requests = [
    impatient.put(key, bytes, 'image/jpeg'),
    impatient.get(large.key),
    impatient.remove(large.key),
    restOf(chunks),
  ]
  const waits = await Promise.all(requests.map(msUntilUnavailable))
  expect(Math.max(...waits)).toBeLessThan(SILENCE_MS + LATE_MS)
  await expect(impatient.check()).rejects.toThrow('was silent for 1500 ms')
  bucket.engine.process.resume()
  await expect(storage.check()).resolves.toBeUndefined()
})

it('a server that is away fails requests at once, and a service starts without it', async () => {
  await bucket.engine.process.kill()
  const { key, bytes } = newObject()
  const opened = await S3Storage.open(bucket.settings)
  for (const work of [() => opened.put(key, bytes, 'image/jpeg'), () => opened.get(key), () => opened.remove(key)])
    expect(await msUntilUnavailable(work())).toBeLessThan(LATE_MS)
  await expect(opened.check()).rejects.toThrow('ECONNREFUSED')
  await bucket.engine.process.start()
  await opened.put(key, bytes, 'image/jpeg')
  expect(await buffer((await opened.get(key))!.stream)).toEqual(bytes)
})

it('a reader who takes long gets all of the largest object, of which a small part is in memory meanwhile', async () => {
  await storage.put(large.key, large.bytes, 'image/jpeg')
  const before = process.memoryUsage().arrayBuffers
  const found = await impatient.get(large.key)
  const chunks = found!.stream[Symbol.asyncIterator]()
  const { value: first } = await chunks.next()
  // The limit for silence passes during the break, and again at its end.
  await sleep(2 * SILENCE_MS)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000)
  expect(first.length + (await restOf(chunks))).toBe(MAX_OBJECT_BYTES)
})
