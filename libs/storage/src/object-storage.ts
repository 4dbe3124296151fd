import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { assert } from '@holdfast/kernel/assert'

/** The types that may be stored. A type decides the ending of the file's name, so the list is closed. */
export const CONTENT_TYPES = ['image/jpeg', 'application/octet-stream'] as const
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
 * Where files are kept, by the hash of their content. So a key is never written twice with different bytes, a repeated
 * write costs nothing, and what was acknowledged stays as it was.
 */
export interface ObjectStorage {
  /**
   * Keeps `bytes` under their `objectKey`. When it returns they survive a crash of the machine. Writing what is there
   * already changes nothing; the content type of the first write stays.
   */
  put(key: string, bytes: Uint8Array, contentType: ContentType): Promise<void>
  /** The object under a key, or null when there is none; also for anything that is no key at all. */
  get(key: string): Promise<StoredObject | null>
  /** Throws when the storage cannot be reached; for a readiness check. */
  check(): Promise<void>
}

/** The key of a content: its SHA-256 in hex. */
export function objectKey(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const KEY = /^[0-9a-f]{64}$/
/** Whether a text can be a key. Only hex becomes part of a path. */
export const isObjectKey = (text: string): boolean => KEY.test(text)

/** Asserts what every adapter relies on: the key is the hash of the content, and the content is within the limit. */
export function assertOwnKey(key: string, bytes: Uint8Array): void {
  assert(bytes.byteLength > 0 && bytes.byteLength <= MAX_OBJECT_BYTES, 'an object has 1 to MAX_OBJECT_BYTES bytes')
  assert(key === objectKey(bytes), 'an object is kept under the hash of its content')
}
