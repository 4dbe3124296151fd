import { DomainError } from '@holdfast/kernel/errors'
import { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from '@holdfast/kernel/images'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
import { type ObjectStorage, objectKey } from '@holdfast/storage/object-storage'
import { Inject, Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { dataUrlBytes, decodeDataUrl, firstBytes } from './data-url.js'
import { encodePicture, MAX_IMAGE_SIDE, measurePicture } from './encode-picture.js'
import { OBJECT_STORAGE } from './object-storage.token.js'
import { FORMAT_START_BYTES, formatByStart } from './picture-format.js'
import { PixelBudget } from './pixel-budget.js'

/** The most pictures that this process decodes at a time, and the most that may wait. */
const PICTURES_AT_ONCE = 1
const MAX_PICTURES_WAITING = 200
/** The most pictures of one user that may wait. A request decodes its pictures one by one, so this limits requests. */
const MAX_PICTURES_WAITING_PER_USER = 20

const MEGABYTE = 1024 * 1024
const REASONS = {
  'not-a-picture': ['IMAGE_INVALID', 'File must be an image: JPEG, PNG or WebP, complete and undamaged'],
  'too-many-bytes': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_BYTES / MEGABYTE} MB`],
  'too-many-pixels': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_PIXELS / 1_000_000} megapixels`],
  'too-long': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_SIDE} pixels wide or high`],
} as const

/** The user who sends pictures. */
export interface PictureSender {
  readonly userId: string
  /** Aborted when the user's connection has closed: waiting pictures are then not decoded. */
  readonly left: AbortSignal
}

/**
 * Takes the pictures of a request, and stores each as a JPEG that has nothing but its pixels (`encodePicture`). The uploaded file is
 * not kept. What `keep` stores is never deleted.
 */
@Injectable()
export class UploadedPictures {
  readonly #encoding = new FairQueue({
    concurrency: PICTURES_AT_ONCE,
    maxWaiting: MAX_PICTURES_WAITING,
    maxWaitingPerOwner: MAX_PICTURES_WAITING_PER_USER,
  })
  readonly #budget: PixelBudget

  constructor(
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    @Inject(DataSource) dataSource: DataSource,
  ) {
    this.#budget = new PixelBudget(dataSource, 'kilopixels')
  }

  /**
   * Stores those of `images` that are data URLs, unless one of them is invalid. Returns their hashes in the same order, with
   * null for entries that are not data URLs.
   *
   * @throws DomainError IMAGE_INVALID or IMAGE_TOO_LARGE, naming the field: `images.2`; RATE_LIMITED for a sender who has sent
   * too many pixels or has too many requests waiting; UNAVAILABLE when too many users wait, or the sender has left
   */
  async keep(images: readonly string[], sender: PictureSender): Promise<(string | null)[]> {
    const named = images.map((image, i) => [`images.${i}`, image] as const)
    const jpegs = await this.encode(new Map(named.filter(([, image]) => isDataUrl(image))), sender)
    return Promise.all(
      named.map(([field]) => {
        const jpeg = jpegs.get(field)
        return jpeg ? this.#put(jpeg) : null
      }),
    )
  }

  /**
   * Makes a JPEG of each data URL and stores nothing. For pictures that are stored in another way, such as encrypted.
   *
   * @param images by the field that a refusal names
   * @throws DomainError as `keep` does
   */
  async encode<F extends string>(images: ReadonlyMap<F, string>, sender: PictureSender): Promise<Map<F, Buffer>> {
    for (const [field, image] of images) checkStart(image, field)
    const jpegs = new Map<F, Buffer>()
    for (const [field, image] of images) jpegs.set(field, await this.#encode(image, field, sender))
    return jpegs
  }

  /** As `encode`, for the list `images` of a request: the JPEGs in the same order. */
  async encodeList(images: readonly string[], sender: PictureSender): Promise<Buffer[]> {
    return [...(await this.encode(new Map(images.map((image, n) => [`images.${n}`, image])), sender)).values()]
  }

  async #encode(image: string, field: string, { userId, left }: PictureSender): Promise<Buffer> {
    // The data URL is decoded only now, so that waiting pictures are not in memory twice.
    const encode = async () => {
      const bytes = decodeDataUrl(image)
      const measured = bytes ? await measurePicture(bytes) : 'not-a-picture'
      const isInvalid = typeof measured === 'string'
      // A file that is refused costs time by its bytes.
      await this.#budget.spend(userId, isInvalid ? image.length : measured.pixels)
      return isInvalid ? measured : encodePicture(measured)
    }
    const encoded = await this.#encoding.run(userId, encode, left)
    if (typeof encoded === 'string') throw refusal(encoded, field)
    return encoded
  }

  async #put(jpeg: Buffer): Promise<string> {
    const hash = objectKey(jpeg)
    await this.storage.put(hash, jpeg, 'image/jpeg')
    return hash
  }
}

/**
 * Refuses data URLs that are too large or do not begin like a picture, without decoding them. A command calls it before it hashes its
 * input, which takes long for 30 MB.
 *
 * @throws DomainError IMAGE_INVALID or IMAGE_TOO_LARGE, naming the field: `images.2`
 */
export function checkStarts(images: readonly string[]): void {
  for (const [n, image] of images.entries()) checkStart(image, `images.${n}`)
}

function checkStart(image: string, field: string): void {
  const bytes = dataUrlBytes(image)
  if (bytes !== null && bytes > MAX_IMAGE_BYTES) throw refusal('too-many-bytes', field)
  if (formatByStart(firstBytes(image, FORMAT_START_BYTES)) === null) throw refusal('not-a-picture', field)
}

const isDataUrl = (image: string): boolean => image.startsWith('data:')

function refusal(reason: keyof typeof REASONS, field: string): DomainError {
  const [code, message] = REASONS[reason]
  return new DomainError(code, { fields: { [field]: message } })
}
