import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DomainError } from '@holdfast/kernel/errors'
import { pixelsOf, SCALED_CONTENT_TYPE, scalePicture } from '@holdfast/pictures/encode-picture'
import { OBJECT_STORAGE } from '@holdfast/pictures/object-storage.token'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { type ObjectStorage, objectKey, type StoredObject } from '@holdfast/storage/object-storage'
import { Inject, Injectable } from '@nestjs/common'
import { type PictureSize, ScaledPictureIndex } from './scaled-picture-index.js'
import { ScalingBudget } from './scaling-budget.js'

/** The most pictures that this process scales at a time, in addition to the uploads that it decodes, and the most that may wait. */
const SCALED_AT_ONCE = 1
const MAX_SCALED_WAITING = 200
/** The most of one viewer that may wait. A browser requests six at a time, or all of a page over HTTP/2. */
const MAX_SCALED_WAITING_PER_VIEWER = 60
/** After this time a viewer gets the picture as it is stored. The scaled one is still made, for the next viewer. */
const MAX_SCALED_WAIT_MS = 3_000
/**
 * The most requests that wait for a scaled picture at a time. Each keeps one of the 96 connections of the gateway
 * (`MAX_CONNECTIONS_PER_SERVICE`), which all other requests to this service need, too.
 */
export const MAX_REQUESTS_WAITING = 48
/** A storage that does not answer must not stop the queue for longer. */
const MAX_TURN_MS = 10_000

/** A scaled picture and the hash of its bytes. */
interface ScaledPicture {
  readonly hash: string
  readonly object: StoredObject
}

interface MadePicture {
  readonly hash: string
  readonly bytes: Buffer
}

/**
 * Pictures scaled down to the listed widths. Each is made when it is first requested, and then stored. So pictures that were
 * uploaded by an older release are scaled, too, and a width that no screen requests costs nothing.
 */
@Injectable()
export class ScaledPictures {
  readonly #log = loggerOf('pictures')
  readonly #queue = new FairQueue({
    concurrency: SCALED_AT_ONCE,
    maxWaiting: MAX_SCALED_WAITING,
    maxWaitingPerOwner: MAX_SCALED_WAITING_PER_VIEWER,
  })
  /** The pictures that are being made, by source and width. Requests for the same one share it. */
  readonly #making = new Map<string, Promise<MadePicture | null>>()
  #requestsWaiting = 0

  constructor(
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    @Inject(ScaledPictureIndex) private readonly index: Pick<ScaledPictureIndex, 'find' | 'add'>,
    @Inject(ScalingBudget) private readonly budget: Pick<ScalingBudget, 'spend'>,
  ) {}

  /**
   * A stored picture in a width. Null when there is no such picture, and when it cannot be made now: the viewer has spent
   * the budget, too much waits, or it takes longer than `maxWaitMs`.
   *
   * @param viewer the user's id, or the address of a visitor. Viewers take turns, and each has a budget
   */
  async find(size: PictureSize, viewer: string, maxWaitMs = MAX_SCALED_WAIT_MS): Promise<ScaledPicture | null> {
    const stored = await this.#findStored(size)
    if (stored) return stored
    if (this.#requestsWaiting >= MAX_REQUESTS_WAITING) return null
    this.#requestsWaiting++
    const making = this.#makeOnce(size, viewer)
    const isMade = await isDoneWithin(maxWaitMs, making).finally(() => this.#requestsWaiting--)
    const made = isMade ? await making : null
    return made && { hash: made.hash, object: asObject(made.bytes) }
  }

  async #findStored(size: PictureSize): Promise<ScaledPicture | null> {
    const hash = await this.index.find(size)
    const object = hash === null ? null : await this.storage.get(hash)
    return hash === null || object === null ? null : { hash, object }
  }

  #makeOnce(size: PictureSize, viewer: string): Promise<MadePicture | null> {
    const key = `${size.source}/${size.width}`
    const running = this.#making.get(key)
    if (running) return running
    const making = this.#makeInTurn(size, viewer).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  async #makeInTurn(size: PictureSize, viewer: string): Promise<MadePicture | null> {
    try {
      return await this.#queue.run(viewer, async () => {
        const making = this.#make(size, viewer)
        if (!(await isDoneWithin(MAX_TURN_MS, making))) throw new Error(`this took longer than ${MAX_TURN_MS} ms`)
        return making
      })
    } catch (error) {
      if (!(error instanceof DomainError)) this.#log.warn({ err: error, ...size }, 'a picture could not be scaled')
      return null
    }
  }

  async #make(size: PictureSize, viewer: string): Promise<MadePicture | null> {
    // Another request or replica may have made it while this one waited.
    const stored = await this.#findStored(size)
    if (stored) return { hash: stored.hash, bytes: await buffer(stored.object.stream) }
    const uploaded = await this.storage.get(size.source)
    if (!uploaded) return null
    const source = await buffer(uploaded.stream)
    await this.budget.spend(viewer, await pixelsOf(source))
    const bytes = await scalePicture(source, size.width)
    const made = { hash: objectKey(bytes), bytes }
    await this.#store(size, made)
    return made
  }

  /** Stores a scaled picture. When this fails, the viewer still gets it, and it is made again for the next viewer. */
  async #store(size: PictureSize, { hash, bytes }: MadePicture): Promise<void> {
    try {
      await this.storage.put(hash, bytes, SCALED_CONTENT_TYPE)
      await this.index.add(size, hash)
    } catch (error) {
      this.#log.warn({ err: error, ...size }, 'a scaled picture could not be stored')
    }
  }
}

const asObject = (bytes: Buffer): StoredObject => ({
  stream: Readable.from(bytes, { objectMode: false }),
  contentType: SCALED_CONTENT_TYPE,
  sizeBytes: bytes.length,
})
