import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { assert } from '@holdfast/kernel/assert'

/** The types that may be stored. A type decides the ending of the file's name, so the list is closed. */
export const CONTENT_TYPES = ['image/jpeg', 'image/webp', 'application/octet-stream'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

/** The largest object: objects are held in memory while they are written. */
export const MAX_OBJECT_BYTES = 32 * 1024 * 1024

/** An object as it is read. A caller that does not read the stream to its end must destroy it. */
export interface StoredObject {
  readonly stream: Readable
  readonly contentType: ContentType
  readonly sizeBytes: number
}

/**
 * Stores files by the hash of their content. So the bytes under a key never change, and a repeated write has no effect. A storage on
 * another machine answers an outage with DomainError `UNAVAILABLE`; what was asked for can then be asked for again.
 */
export interface ObjectStorage {
  /**
   * Stores `bytes` under their `objectKey`. After it returns, they survive a crash of the machine. Storing the same bytes
   * again changes nothing, also not the content type of the first write. An object that has lost a part of its bytes is repaired.
   */
  put(key: string, bytes: Uint8Array, contentType: ContentType): Promise<void>
  /**
   * The object under a key. Null when there is none, or when the text is not a key. When the connection to the storage ends before the
   * last byte, the stream fails.
   */
  get(key: string): Promise<StoredObject | null>
  /**
   * Removes an object and every older version of it. After it returns, `get` answers null. Removing what is not there has no effect.
   */
  remove(key: string): Promise<void>
  /** A readiness check. Throws when the storage cannot be reached. */
  check(): Promise<void>
}

/** The key of a content: its SHA-256 in hex. */
export function objectKey(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const KEY = /^[0-9a-f]{64}$/
/** Whether a text can be a key. Keys become part of a path, so only hex digits are allowed. */
export const isObjectKey = (text: string): boolean => KEY.test(text)

/** Asserts what every adapter relies on: the key is the hash of the content, and the content is within the limit. */
export function assertOwnKey(key: string, bytes: Uint8Array): void {
  assert(bytes.byteLength > 0 && bytes.byteLength <= MAX_OBJECT_BYTES, 'an object has 1 to MAX_OBJECT_BYTES bytes')
  assert(key === objectKey(bytes), 'an object is kept under the hash of its content')
}
