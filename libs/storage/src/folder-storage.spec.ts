import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderStorage } from './folder-storage.js'
import { MAX_OBJECT_BYTES, objectKey } from './object-storage.js'
import { openStorage } from './open-storage.js'
import { storageRefusals } from './storage-config.js'

const BYTES = Buffer.from('a picture')
const KEY = objectKey(BYTES)

let root: string
let storage: FolderStorage
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'holdfast-storage-'))
  storage = await FolderStorage.open(root)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const path = (suffix = 'jpg') => join(root, KEY.slice(0, 2), KEY.slice(2, 4), `${KEY}.${suffix}`)

describe('a folder of objects', () => {
  it('returns a stored object with its type and length', async () => {
    await storage.put(KEY, BYTES, 'image/jpeg')
    const found = await storage.get(KEY)
    expect(found).toMatchObject({ contentType: 'image/jpeg', sizeBytes: BYTES.length })
    expect(await buffer(found!.stream)).toEqual(BYTES)
  })

  it('returns null for a key that was never stored', async () => {
    expect(await storage.get(objectKey(Buffer.from('another')))).toBeNull()
  })

  it('stores the same content once', async () => {
    await storage.put(KEY, BYTES, 'image/jpeg')
    const first = await stat(path())
    await Promise.all([storage.put(KEY, BYTES, 'image/jpeg'), storage.put(KEY, BYTES, 'application/octet-stream')])
    const after = await stat(path())
    expect([after.ino, after.mtimeMs]).toEqual([first.ino, first.mtimeMs])
    await expect(stat(path('bin'))).rejects.toThrow('ENOENT')
  })

  it('accepts many writes of the same content at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => storage.put(KEY, BYTES, 'image/jpeg')))
    expect(await readFile(path())).toEqual(BYTES)
    expect(await readdir(join(root, '.incoming'))).toEqual([])
  })

  it('repairs a file that was damaged on the disk', async () => {
    await storage.put(KEY, BYTES, 'image/jpeg')
    await truncate(path(), 3)
    await storage.put(KEY, BYTES, 'image/jpeg')
    expect(await readFile(path())).toEqual(BYTES)
  })

  it.each(['../../etc/passwd', `${KEY}/../x`, KEY.toUpperCase(), KEY.slice(1), `${KEY}\0`, ''])(
    'finds no object for %j, which is not a key',
    async key => {
      await storage.put(KEY, BYTES, 'image/jpeg')
      expect(await storage.get(key)).toBeNull()
    },
  )

  it('refuses a key that is not the hash of the content', async () => {
    await expect(storage.put(objectKey(Buffer.from('x')), BYTES, 'image/jpeg')).rejects.toThrow('hash of its content')
    await expect(storage.put('../escape', BYTES, 'image/jpeg')).rejects.toThrow('hash of its content')
    expect((await readdir(root)).filter(name => name !== '.incoming')).toEqual([])
  })

  it('refuses an empty object and one above the limit', async () => {
    const empty = Buffer.alloc(0)
    await expect(storage.put(objectKey(empty), empty, 'image/jpeg')).rejects.toThrow('MAX_OBJECT_BYTES')
    const large = Buffer.alloc(MAX_OBJECT_BYTES + 1)
    await expect(storage.put('00', large, 'image/jpeg')).rejects.toThrow('MAX_OBJECT_BYTES')
  })

  it('removes old incomplete files of a killed process when it is opened, and keeps newer ones', async () => {
    const [old, young] = [join(root, '.incoming', 'old'), join(root, '.incoming', 'young')]
    for (const each of [old, young]) await writeFile(each, 'half')
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    await utimes(old, longAgo, longAgo)
    await FolderStorage.open(root)
    expect(await readdir(join(root, '.incoming'))).toEqual(['young'])
  })

  it('passes its readiness check while its folder exists', async () => {
    await storage.check()
    await rm(root, { recursive: true })
    await expect(storage.check()).rejects.toThrow('ENOENT')
  })
})

describe('STORAGE_URL', () => {
  it('opens a folder by its file URL', async () => {
    const opened = await openStorage(pathToFileURL(join(root, 'a folder')).href)
    await opened.put(KEY, BYTES, 'image/jpeg')
    expect(await readdir(root)).toContain('a folder')
  })

  it.each(['/just/a/path', 'http://example.test/x', 's3://bucket', 'file://data/files', ''])(
    'refuses %j',
    async url => {
      await expect(openStorage(url)).rejects.toThrow('STORAGE_URL')
    },
  )

  it.each([
    ['production', 'must not be a folder in production'],
    ['development', undefined],
  ])('in %s is refused for a folder: %s', (NODE_ENV, problem) => {
    const refused = storageRefusals({ NODE_ENV, STORAGE_URL: pathToFileURL(root).href }).STORAGE_URL
    expect(refused?.split(':')[0]).toBe(problem)
  })
})
