import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotOpen } from '@holdfast/encryption/data-key'
import { KeyRing, UnknownMasterKey } from '@holdfast/encryption/key-ring'
import { FolderStorage } from './folder-storage.js'
import { SealedObjects, sealObject } from './sealed-objects.js'

const PLAIN = Buffer.from('a passport')
const entry = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`
const [OLD, NEW] = [entry('old'), entry('new')]

let root: string
let objects: SealedObjects
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'holdfast-sealed-'))
  objects = new SealedObjects(await FolderStorage.open(root))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const pathOf = (key: string) => join(root, key.slice(0, 2), key.slice(2, 4), `${key}.bin`)

/** An object of Ana that is stored with the current key of a ring. */
async function stored(ring: KeyRing) {
  const { key, stored: wrapped } = ring.newDataKey('ana')
  const object = sealObject(PLAIN, key, 'ana:front')
  await objects.put(object)
  return { key, wrapped, object }
}

test('what is stored is not the content, and is read with its key for its owner', async () => {
  const { key, object } = await stored(KeyRing.parse(OLD))
  expect((await readFile(pathOf(object.key))).includes(PLAIN)).toBe(false)
  expect(await objects.get(object.key, key, 'ana:front')).toEqual(PLAIN)
  await expect(objects.get(object.key, key, 'bob:front')).rejects.toThrow(CannotOpen)
  await expect(objects.get(object.key, key, 'ana:back')).rejects.toThrow(CannotOpen)
})

test('a changed byte is found', async () => {
  const { key, object } = await stored(KeyRing.parse(OLD))
  for (const at of [0, 1, 14, object.bytes.length - 1]) {
    const changed = Buffer.from(object.bytes)
    changed[at]! ^= 1
    await writeFile(pathOf(object.key), changed)
    await expect(objects.get(object.key, key, 'ana:front')).rejects.toThrow(CannotOpen)
  }
})

test('after a rotation the old object is readable, and new ones have the new key', async () => {
  const old = await stored(KeyRing.parse(OLD))
  const rotated = KeyRing.parse(`${NEW},${OLD}`)
  expect(await objects.get(old.object.key, rotated.unwrap(old.wrapped, 'ana'), 'ana:front')).toEqual(PLAIN)
  expect((await stored(rotated)).wrapped.keyId).toBe('new')
  expect(() => KeyRing.parse(NEW).unwrap(old.wrapped, 'ana')).toThrow(UnknownMasterKey)
  expect(() => rotated.unwrap(old.wrapped, 'bob')).toThrow(CannotOpen)
})

test('a removed object is gone, removing again has no effect, and a storage that is away is no success', async () => {
  const { key, object } = await stored(KeyRing.parse(OLD))
  await objects.remove(object.key)
  expect(await objects.get(object.key, key, 'ana:front')).toBeNull()
  await objects.remove(object.key)
  await rm(root, { recursive: true })
  await expect(objects.remove(object.key)).rejects.toThrow('ENOENT')
})
