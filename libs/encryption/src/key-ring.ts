import { assert } from '@holdfast/kernel/assert'
import { CannotOpen, DataKey, KEY_BYTES } from './data-key.js'

/** A data key as it is stored: encrypted with the master key that `keyId` names. */
export interface WrappedKey {
  readonly keyId: string
  readonly wrapped: Buffer
}

/** A data key was wrapped with a master key that the configuration does not name any more. */
export class UnknownMasterKey extends Error {
  override readonly name = 'UnknownMasterKey'
  constructor(readonly keyId: string) {
    super(`the configuration has no master key "${keyId}"`)
  }
}

const ID = /^[a-z0-9][a-z0-9-]{0,31}$/
const ENTRY = /^([^:]*):([A-Za-z0-9_-]+)$/

/**
 * The master keys of a service. They encrypt data keys and nothing else (envelope encryption), so a rotation of master keys writes the
 * small wrapped keys again and not the documents.
 *
 * To rotate: put a new key first and keep the old one behind it, on all replicas. New data keys are wrapped with the first. When
 * `isCurrent` holds for every stored key (`rewrap` makes it so), remove the old one. A replica that does not know the new key yet cannot
 * read what another replica wrote with it: add the key at the end everywhere before it becomes the first.
 */
export class KeyRing {
  private constructor(private readonly keys: ReadonlyMap<string, DataKey>) {}

  /**
   * Reads `id:key,id:key`: an id has lower-case letters, digits and hyphens, a key is 32 bytes in base64url. The first is the current one.
   *
   * @throws Error that names what is wrong, and never a key
   */
  static parse(text: string): KeyRing {
    const keys = new Map<string, DataKey>()
    for (const entry of text.split(',')) {
      const [, id = '', key = ''] = ENTRY.exec(entry.trim()) ?? []
      if (!ID.test(id)) throw new Error('must be id:key,id:key with ids of lower-case letters, digits and hyphens')
      const bytes = Buffer.from(key, 'base64url')
      if (bytes.byteLength !== KEY_BYTES) throw new Error(`the key "${id}" must be 32 bytes in base64url`)
      if (keys.has(id)) throw new Error(`the key id "${id}" is there twice`)
      keys.set(id, DataKey.of(bytes))
    }
    return new KeyRing(keys)
  }

  /** The ids of the keys, the current one first. */
  get ids(): readonly string[] {
    return [...this.keys.keys()]
  }

  /** The id of the key with which new data keys are wrapped. */
  get current(): string {
    const [first] = this.keys.keys()
    assert(first !== undefined, 'a key ring has a key')
    return first
  }

  /** A new data key and the form in which it is stored. `context` is what it may be used for, as in `DataKey.seal`. */
  newDataKey(context: string): { readonly key: DataKey; readonly stored: WrappedKey } {
    const key = DataKey.random()
    return { key, stored: this.wrap(key, context) }
  }

  /**
   * The data key that was stored.
   *
   * @throws UnknownMasterKey @throws CannotOpen when the stored key was changed or belongs to another context
   */
  unwrap({ keyId, wrapped }: WrappedKey, context: string): DataKey {
    const master = this.keys.get(keyId)
    if (!master) throw new UnknownMasterKey(keyId)
    const bytes = master.open(wrapped, wrapContext(keyId, context))
    if (bytes.byteLength !== KEY_BYTES) throw new CannotOpen('not a wrapped key')
    return DataKey.of(bytes)
  }

  /** Whether a stored key is wrapped with the current master key. */
  isCurrent({ keyId }: WrappedKey): boolean {
    return keyId === this.current
  }

  /** The same data key, wrapped with the current master key. Throws as `unwrap` does. */
  rewrap(stored: WrappedKey, context: string): WrappedKey {
    return this.wrap(this.unwrap(stored, context), context)
  }

  private wrap(key: DataKey, context: string): WrappedKey {
    const keyId = this.current
    const master = this.keys.get(keyId)
    assert(master !== undefined, 'a key ring has its current key')
    return { keyId, wrapped: master.seal(key.export(), wrapContext(keyId, context)) }
  }
}

const wrapContext = (keyId: string, context: string) => `data-key:${keyId}:${context}`
