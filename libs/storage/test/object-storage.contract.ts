import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { MAX_OBJECT_BYTES, type ObjectStorage, objectKey } from '../src/object-storage.js'

/** An object that no other test stores. */
export function newObject(length = 1_000) {
  const bytes = randomBytes(length)
  return { bytes, key: objectKey(bytes) }
}

/** What every storage does, as `ObjectStorage` promises it. */
export function describeObjectStorage(name: string, storage: () => ObjectStorage): void {
  const read = async (key: string) => {
    const found = await storage().get(key)
    return found && buffer(found.stream)
  }

  describe(`${name}, as every storage`, () => {
    it('returns a stored object with its type and length', async () => {
      const { key, bytes } = newObject()
      await storage().put(key, bytes, 'image/webp')
      const found = await storage().get(key)
      expect(found).toMatchObject({ contentType: 'image/webp', sizeBytes: bytes.length })
      expect(await buffer(found!.stream)).toEqual(bytes)
    })

    it('stores bytes that are a part of a larger buffer', async () => {
      const large = new Uint8Array(randomBytes(300))
      const part = large.subarray(100, 200)
      await storage().put(objectKey(part), part, 'image/jpeg')
      expect(await read(objectKey(part))).toEqual(Buffer.from(part))
    })

    it('returns null for a key that was never stored', async () => {
      expect(await storage().get(newObject().key)).toBeNull()
    })

    it('keeps the type of the first write', async () => {
      const { key, bytes } = newObject()
      await storage().put(key, bytes, 'image/jpeg')
      await storage().put(key, bytes, 'application/octet-stream')
      const found = await storage().get(key)
      expect(found?.contentType).toBe('image/jpeg')
      found?.stream.destroy()
    })

    it('accepts many writes of the same content at once', async () => {
      const { key, bytes } = newObject()
      await Promise.all(Array.from({ length: 20 }, () => storage().put(key, bytes, 'image/jpeg')))
      expect(await read(key)).toEqual(bytes)
    })

    it.each(['../../etc/passwd', 'KEY/../x', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}\0`, ''])(
      'finds and removes no object for %j, which is not a key',
      async text => {
        expect(await storage().get(text)).toBeNull()
        await storage().remove(text)
      },
    )

    it('refuses a key that is not the hash of the content', async () => {
      const put = storage().put(newObject().key, newObject().bytes, 'image/jpeg')
      await expect(put).rejects.toThrow('hash of its content')
    })

    it('refuses an empty object and one above the limit', async () => {
      const empty = Buffer.alloc(0)
      await expect(storage().put(objectKey(empty), empty, 'image/jpeg')).rejects.toThrow('MAX_OBJECT_BYTES')
      const large = Buffer.alloc(MAX_OBJECT_BYTES + 1)
      await expect(storage().put('00', large, 'image/jpeg')).rejects.toThrow('MAX_OBJECT_BYTES')
    })

    it('removes an object, which can be stored again', async () => {
      const { key, bytes } = newObject()
      await storage().put(key, bytes, 'image/jpeg')
      await storage().remove(key)
      expect(await storage().get(key)).toBeNull()
      await storage().remove(key)
      await storage().put(key, bytes, 'image/jpeg')
      expect(await read(key)).toEqual(bytes)
    })

    it('lets a reader leave', async () => {
      const { key, bytes } = newObject(3_000_000)
      await storage().put(key, bytes, 'image/jpeg')
      const found = await storage().get(key)
      for await (const chunk of found!.stream) if (chunk.length > 0) break
      expect(found?.stream.destroyed).toBe(true)
    })

    it('passes its readiness check', async () => {
      await expect(storage().check()).resolves.toBeUndefined()
    })
  })
}
