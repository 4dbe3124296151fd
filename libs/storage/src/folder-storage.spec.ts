import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeObjectStorage } from '../test/object-storage.contract.js'
import { FolderStorage } from './folder-storage.js'
import { objectKey } from './object-storage.js'

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

describeObjectStorage('a folder of objects', () => storage)

describe('a folder of objects', () => {
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

  it('writes nothing for a key that is not the hash of the content', async () => {
    await expect(storage.put('../escape', BYTES, 'image/jpeg')).rejects.toThrow('hash of its content')
    expect((await readdir(root)).filter(name => name !== '.incoming')).toEqual([])
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
