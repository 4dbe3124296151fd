import { buffer } from 'node:stream/consumers'
import type { DataKey } from '@holdfast/encryption/data-key'
import { assert } from '@holdfast/kernel/assert'
import { type ObjectStorage, objectKey } from './object-storage.js'

/** Bytes that are encrypted, and the key under which they are stored. */
export interface SealedObject {
  readonly key: string
  readonly bytes: Buffer
}

/**
 * Encrypts bytes for the storage. The key of the object is the hash of the encrypted bytes, so it says nothing about the content.
 *
 * @param context whose they are, as in `DataKey.seal`
 */
export function sealObject(plain: Uint8Array, dataKey: DataKey, context: string): SealedObject {
  const bytes = dataKey.seal(plain, context)
  return { key: objectKey(bytes), bytes }
}

/** Stores encrypted objects, reads them and removes them. The storage never gets what is not encrypted. */
export class SealedObjects {
  constructor(private readonly storage: ObjectStorage) {}

  put({ key, bytes }: SealedObject): Promise<void> {
    return this.storage.put(key, bytes, 'application/octet-stream')
  }

  /**
   * The decrypted bytes; null when there is no such object.
   *
   * @throws CannotOpen when they were changed, or belong to another context; ObjectDamaged when the storage noticed the change itself
   */
  async get(key: string, dataKey: DataKey, context: string): Promise<Buffer | null> {
    const found = await this.storage.get(key)
    return found && dataKey.open(await buffer(found.stream), context)
  }

  /** Removes an object, and asserts that it is gone. */
  async remove(key: string): Promise<void> {
    await this.storage.remove(key)
    const found = await this.storage.get(key)
    found?.stream.destroy()
    assert(!found, 'a removed object cannot be read any more')
  }
}
