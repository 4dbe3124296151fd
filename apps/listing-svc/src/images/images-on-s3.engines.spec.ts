import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type S3Engine, startS3 } from '@holdfast/engines/s3'
import { eventually } from '@holdfast/testing/eventually'
import { person, pictureUrl, RunningListing } from '../../test/running-listing.js'

const ana = person('Ana')
const BUCKET = 'pictures'

let folder: string
let s3: S3Engine
let service: RunningListing
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-s3-'))
  // A folder of the server is a bucket.
  fs.mkdirSync(path.join(folder, 'data', BUCKET), { recursive: true })
  s3 = await startS3(folder)
  service = await RunningListing.start({
    STORAGE_URL: `s3+${s3.endpoint}/${BUCKET}`,
    STORAGE_ACCESS_KEY: s3.accessKey,
    STORAGE_SECRET_KEY: s3.secretKey,
    STORAGE_REGION: s3.region,
  })
})
afterAll(async () => {
  await service?.stop()
  await s3?.process.kill()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function storageCheck(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${service.running.opsPort}/readyz`)
  const { checks } = (await answer.json()) as { checks: Record<string, string> }
  return `${answer.status} ${checks.storage}`
}

it('a picture is uploaded to the bucket and read from it, also scaled', async () => {
  const { images } = await service.created(ana, { images: [await pictureUrl(1, 900, 600)] })
  const answer = await service.fetch(images[0]!)
  const { byteLength } = await answer.arrayBuffer()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(fs.statSync(path.join(folder, 'data', BUCKET, images[0]!.slice(-64))).size).toBe(byteLength)
  const scaled = await service.fetch(`${images[0]}/320`)
  expect([scaled.status, scaled.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await scaled.arrayBuffer()).byteLength).toBeGreaterThan(0)
})

it('while the S3 server is away, what needs it is answered with 503, and everything else is served', async () => {
  const { id, images } = await service.created(ana, { images: [await pictureUrl(2)] })
  await s3.process.kill()
  const read = await service.fetch(images[0]!)
  expect([read.status, read.headers.get('retry-after')]).toEqual([503, '1'])
  const written = await service.create(ana, { images: [await pictureUrl(3)] })
  expect([written.status, written.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await service.get(id)).status).toBe(200)
  expect(await storageCheck()).toBe('200 failed')

  await s3.process.start()
  expect((await service.fetch(images[0]!)).status).toBe(200)
  expect((await service.create(ana, { images: [await pictureUrl(3)] })).status).toBe(201)
  await eventually(async () => (await storageCheck()) === '200 ok')
})

it('a picture whose bytes were changed in the bucket never arrives completely', async () => {
  const { images } = await service.created(ana, { images: [await pictureUrl(4)] })
  const file = path.join(folder, 'data', BUCKET, images[0]!.slice(-64))
  const bytes = fs.readFileSync(file)
  bytes[bytes.length - 1]! ^= 1
  fs.writeFileSync(file, bytes)
  const answer = await service.fetch(images[0]!).then(
    async response => (response.ok ? response.arrayBuffer().catch(() => 'broken off') : response.status),
    () => 'broken off',
  )
  expect([500, 'broken off']).toContain(answer)
})
