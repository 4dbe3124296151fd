import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { openStorage } from '@holdfast/storage/open-storage'
import type { StorageConfig } from '@holdfast/storage/storage-config'
import { eventually } from '@holdfast/testing/eventually'
import { SignedClient } from '@holdfast/testing/signed-client'
import { aPhoto, dataUrl, sha256 } from '../../test/a-photo.js'
import { MASTER_KEY, RunningDispute } from '../../test/running-dispute.js'

let disputes: RunningDispute
beforeAll(async () => {
  disputes = await RunningDispute.start()
})
afterAll(() => disputes?.stop())

const JPEG = Buffer.from([0xff, 0xd8, 0xff])
let red = 0
beforeEach(() => {
  red += 10
})

/** A dispute with some pictures of its seller. */
async function withPictures(count = 1) {
  const dispute = await disputes.aDispute()
  const photos = await Promise.all(Array.from({ length: count }, (_, n) => aPhoto(red + n * 3)))
  const { status, body } = await disputes.addEvidence(dispute.id, dispute.seller, photos.map(dataUrl))
  expect(status).toBe(201)
  return { ...dispute, images: body.images }
}

const query = async (sql: string, ...values: unknown[]) => (await disputes.database.admin.query(sql, values)).rows
const keysOf = async (id: number): Promise<string[]> =>
  (await query('SELECT object_keys FROM dispute.evidence_pictures WHERE dispute_id = $1', id))[0].object_keys

const fileOf = async (key: string) => (await disputes.storage.findFile(key))!

const readWith = async (client: SignedClient, path: string, actor: UserActor) => {
  const answer = await client.fetch('GET', path, { actor })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const read = (path: string, actor: UserActor) => readWith(disputes.client, path, actor)

test('no stored object is a picture, and none has the hash of one', async () => {
  const { images, buyer } = await withPictures(2)
  const parts: Buffer[] = []
  for (const { url, sha256: hash } of images) {
    const { status, bytes } = await read(url, buyer)
    expect([status, sha256(bytes), bytes.subarray(0, 3)]).toEqual([200, hash, JPEG])
    parts.push(bytes.subarray(100, 164))
  }
  const stored = await disputes.storage.files()
  expect(stored.length).toBeGreaterThanOrEqual(images.length)
  for (const file of stored) {
    const bytes = await readFile(file)
    for (const part of parts) expect(bytes.includes(part)).toBe(false)
    for (const { sha256: hash } of images) expect(file).not.toContain(hash)
  }
})

test('the same picture is stored as other bytes in another dispute', async () => {
  const [first, second] = [await withPictures(), await withPictures()]
  expect(first.images[0]!.sha256).toBe(second.images[0]!.sha256)
  expect(await keysOf(first.id)).not.toEqual(await keysOf(second.id))
})

test('what was changed in the storage, or put in place of another picture, is not sent', async () => {
  const { id, images, buyer } = await withPictures(2)
  const [first, second] = (await keysOf(id)) as [string, string]
  await disputes.database.admin.query('UPDATE dispute.evidence_pictures SET object_keys = $2 WHERE dispute_id = $1', [
    id,
    [second, first],
  ])
  expect((await read(images[0]!.url, buyer)).status).toBe(500)
  await disputes.database.admin.query('UPDATE dispute.evidence_pictures SET object_keys = $2 WHERE dispute_id = $1', [
    id,
    [first, second],
  ])
  expect((await read(images[0]!.url, buyer)).status).toBe(200)
  const file = await fileOf(first)
  const bytes = await readFile(file)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(file, bytes)
  expect((await read(images[0]!.url, buyer)).status).toBe(500)
  expect((await read(images[1]!.url, buyer)).status).toBe(200)
})

test('a picture of an earlier release is read as it was stored', async () => {
  const { id, images, buyer } = await withPictures()
  const { bytes } = await read(images[0]!.url, buyer)
  const file = await fileOf((await keysOf(id))[0]!)
  // As that release left it: the JPEG under its own hash, and no row of the encrypted copy.
  await disputes.database.admin.query('DELETE FROM dispute.evidence_pictures WHERE dispute_id = $1', [id])
  const plain = await plainStorage(images[0]!.sha256, bytes)
  await rm(file)
  expect(await read(images[0]!.url, buyer)).toEqual({ status: 200, bytes })
  await plain.remove()
})

/** Stores a JPEG as an earlier release did. */
async function plainStorage(hash: string, bytes: Buffer) {
  const storage = await openStorage({ NODE_ENV: 'test', ...(disputes.storage.environment as StorageConfig) })
  await storage.put(hash, bytes, 'image/jpeg')
  return { remove: () => storage.remove(hash) }
}

// The last test: the first service does not have the new master key.
test('pictures can be read at any time while the master key is rotated, and then the old key is not needed', async () => {
  const { id, images, buyer } = await withPictures()
  const added = `2026-07:${randomBytes(32).toString('base64url')}`
  const replicaWith = async (keys: string) => {
    const running = await disputes.startReplica({ ENCRYPTION_KEYS: keys })
    const client = new SignedClient(running.port, 'dispute-svc', disputes.keys)
    return { read: () => readWith(client, images[0]!.url, buyer), close: () => running.close() }
  }
  const keyIds = async () =>
    (await query('SELECT DISTINCT key_id FROM dispute.evidence_pictures')).map(row => row.key_id)
  const knowing = await replicaWith(`${MASTER_KEY},${added}`)
  expect((await knowing.read()).status).toBe(200)
  const rotating = await replicaWith(`${added},${MASTER_KEY}`)
  await eventually(async () => {
    for (const replica of [knowing, rotating]) expect((await replica.read()).status).toBe(200)
    return (await keyIds()).join() === '2026-07'
  })
  const later = await replicaWith(added)
  const { status, bytes } = await later.read()
  expect([status, sha256(bytes)]).toEqual([200, images[0]!.sha256])
  expect((await disputes.evidenceOf(id, buyer)).length).toBe(1)
  // The first service was never told the new key. It says nothing about the reason to the user.
  const refused = await read(images[0]!.url, buyer)
  expect(refused.status).toBe(500)
  expect(refused.bytes.toString()).not.toContain('2026-07')
  for (const replica of [knowing, rotating, later]) await replica.close()
})
