import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { urlToHttpOptions } from 'node:url'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Client, S3Error } from 'minio'
import {
  assertOwnKey,
  CONTENT_TYPES,
  type ContentType,
  isObjectKey,
  type ObjectStorage,
  type StoredObject,
} from './object-storage.js'
import { BucketIsPublic, type S3Settings, StorageRefused } from './s3-settings.js'
import { isOutage, StorageSilent, s3Transport } from './s3-transport.js'
import { VerifiedObject } from './verified-object.js'

/** How long the server may be silent. A service's own callers wait for 15 s. */
const SILENCE_MS = 5_000
/** A request that failed is sent once more: a kept connection may have been closed by the server at that moment. */
const ATTEMPTS = 2
const PAUSE_MS = 100
/** A name that no object has, since it is no key. */
const NO_OBJECT = 'readiness'
/** How a server refuses a request without a login. Some take it for one that is malformed (400). */
const REFUSES_VISITORS = [400, 401, 403]

const log = loggerOf('storage')

/**
 * Objects in a bucket of an S3 server. A key is written with `If-None-Match: *`, so what is stored is not written again, and two writers
 * of the same key do not disturb each other. What is read is compared with its key.
 *
 * Over http the client signs the hash of what it sends, and the server compares both. Over https it sends the MD5 of it, which the server
 * compares, too. So a put that was damaged on the way is refused.
 */
export class S3Storage implements ObjectStorage {
  readonly #client: Client
  readonly #transport: ReturnType<typeof s3Transport>
  readonly #bucket: string

  private constructor(
    private readonly settings: S3Settings,
    silenceMs: number,
  ) {
    const { host, port, secure, bucket, accessKey, secretKey, region } = settings
    this.#bucket = bucket
    this.#transport = s3Transport(secure, silenceMs)
    this.#client = new Client({
      ...{ endPoint: host, port, useSSL: secure, accessKey, secretKey, region },
      transport: this.#transport,
      retryOptions: { disableRetry: true },
    })
  }

  /**
   * Opens a bucket. While the server does not answer, a service starts without it, as it goes on when the server goes away later: its
   * readiness names the storage, and requests that need it are answered with 503.
   *
   * @param isProduction whether a bucket is refused that visitors can read. Elsewhere the log says so
   * @throws StorageRefused when the server answers that the settings are wrong; BucketIsPublic
   */
  static async open(settings: S3Settings, silenceMs = SILENCE_MS, isProduction = false): Promise<S3Storage> {
    const storage = new S3Storage(settings, silenceMs)
    try {
      await storage.check()
      await storage.#checkPrivacy()
    } catch (error) {
      if (error instanceof BucketIsPublic && !isProduction) {
        log.error({ err: error }, 'visitors can read the bucket')
        return storage
      }
      if (!isOutage(error)) throw error
      log.warn({ err: error }, 'the object storage does not answer; the service starts without it')
    }
    return storage
  }

  async put(key: string, bytes: Uint8Array, contentType: ContentType): Promise<void> {
    assertOwnKey(key, bytes)
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    await this.#serve(() => this.#store(key, body, contentType))
  }

  async get(key: string): Promise<StoredObject | null> {
    const found = isObjectKey(key) ? await this.#serve(() => this.#find(key)) : null
    if (!found) return null
    const sizeBytes = Number(found.headers['content-length'])
    assert(Number.isSafeInteger(sizeBytes), 'the object storage says how long an object is')
    return { stream: new VerifiedObject(found, key), contentType: contentTypeOf(found), sizeBytes }
  }

  /**
   * Removes every version of an object and every delete marker, so that a bucket which keeps versions keeps none of it.
   *
   * @throws StorageRefused when a retention or a legal hold protects a version
   */
  async remove(key: string): Promise<void> {
    if (!isObjectKey(key)) return
    await this.#serve(async () => {
      for (const versionId of await this.#versionsOf(key))
        await this.#client.removeObject(this.#bucket, key, versionId === undefined ? {} : { versionId })
    })
  }

  /** Asks for an object that does not exist: that needs the bucket, the login, the region, and the right to read. */
  async check(): Promise<void> {
    const found = await this.#attempt(() => this.#find(NO_OBJECT))
    found?.destroy()
  }

  /**
   * Lists the bucket and reads an object of it, both without a login. A server may refuse the list and show each object, and it may tell
   * only for an object that exists whether visitors can read it.
   *
   * @throws BucketIsPublic
   */
  async #checkPrivacy(): Promise<void> {
    const first = { Delimiter: '', MaxKeys: 1 }
    const { objects } = await this.#attempt(() => this.#client.listObjectsQuery(this.#bucket, '', '', first))
    for (const name of ['', objects[0]?.name ?? NO_OBJECT]) {
      const status = await this.#attempt(() => this.#askAsVisitor(name))
      if (!REFUSES_VISITORS.includes(status)) throw new BucketIsPublic(this.settings, name, status)
    }
  }

  /** The status of the answer to a request without a login, for an object or for the list of all. */
  async #askAsVisitor(name: string): Promise<number> {
    // Only the client knows where a server has its buckets: in the path or in the name of the host.
    const url = new URL(await this.#client.presignedUrl('GET', this.#bucket, name))
    url.search = ''
    return new Promise((resolve, reject) => {
      const request = this.#transport.request(urlToHttpOptions(url), response => {
        response.destroy()
        resolve(response.statusCode!)
      })
      request.once('error', reject).end()
    })
  }

  /**
   * Stores an object that is not there. An object of another length is damaged, and is written again. Before anything is sent, the server
   * is asked: it answers a conditional put of many bytes before it has read them, and closes the connection, so that the answer is lost.
   */
  async #store(key: string, body: Buffer, contentType: ContentType): Promise<void> {
    const size = await this.#sizeOf(key)
    if (size === body.length) return
    if (size === null && (await this.#create(key, body, contentType))) return
    // Another writer was faster. Or the key has only a delete marker: some servers take that for an object.
    if (size === null && (await this.#sizeOf(key)) === body.length) return
    await this.#write(key, body, { 'Content-Type': contentType })
  }

  /** False when the key has an object already. */
  async #create(key: string, body: Buffer, contentType: ContentType): Promise<boolean> {
    try {
      await this.#write(key, body, { 'Content-Type': contentType, 'If-None-Match': '*' })
      return true
    } catch (error) {
      if (codeOf(error) === 'PreconditionFailed') return false
      throw error
    }
  }

  /** One request: the client sends parts only above 64 MB. */
  #write(key: string, body: Buffer, headers: Record<string, string>): Promise<unknown> {
    return this.#client.putObject(this.#bucket, key, body, body.length, headers)
  }

  async #sizeOf(key: string): Promise<number | null> {
    try {
      return (await this.#client.statObject(this.#bucket, key)).size
    } catch (error) {
      // An answer to HEAD has no body, so a bucket that is missing looks the same. The write that follows tells them apart.
      if (codeOf(error) === 'NotFound') return null
      throw error
    }
  }

  /** The ids of an object's versions and delete markers; `undefined` for one without an id. */
  async #versionsOf(key: string): Promise<(string | undefined)[]> {
    const versions = this.#client.listObjects(this.#bucket, key, true, { IncludeVersion: true })
    try {
      const found: { versionId?: string }[] = await versions.toArray()
      return found.map(({ versionId }) => versionId)
    } catch (error) {
      // This server keeps no versions.
      if (codeOf(error) === 'NotImplemented') return [undefined]
      throw error
    }
  }

  /** The answer with the bytes of an object; null when there is none. */
  async #find(key: string): Promise<IncomingMessage | null> {
    try {
      return (await this.#client.getObject(this.#bucket, key)) as IncomingMessage
    } catch (error) {
      if (codeOf(error) === 'NoSuchKey') return null
      throw error
    }
  }

  /** @throws DomainError `UNAVAILABLE` when the storage cannot serve now */
  async #serve<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(work)
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn({ err: error }, 'the object storage did not serve a request')
      throw new DomainError('UNAVAILABLE')
    }
  }

  /** Does the work, and once more after an outage, unless that took long. All work of this class can be repeated. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!isOutage(error)) throw error instanceof S3Error ? new StorageRefused(this.settings, error) : error
        if (attempt >= ATTEMPTS || error instanceof StorageSilent) throw error
      }
      await sleep(PAUSE_MS * (1 + Math.random()))
    }
  }
}

const codeOf = (error: unknown): string | undefined => (error instanceof S3Error ? error.code : undefined)

/** A copy that a tool made of a bucket may have lost the types. Such an object is read as bytes of no known type. */
function contentTypeOf({ headers }: IncomingMessage): ContentType {
  const found = headers['content-type']
  return CONTENT_TYPES.find(type => type === found) ?? 'application/octet-stream'
}
