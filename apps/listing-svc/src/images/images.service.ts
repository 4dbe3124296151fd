import { DomainError } from '@holdfast/kernel/errors'
import { type ImageWidth, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from '@holdfast/kernel/images'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
import { type ObjectStorage, objectKey, type StoredObject } from '@holdfast/storage/object-storage'
import { Inject, Injectable } from '@nestjs/common'
import { dataUrlBytes, decodeDataUrl } from './domain/data-url.js'
import { type Visibility, visibilityFor } from './domain/visibility.js'
import { encodePicture, MAX_IMAGE_SIDE, measurePicture } from './encode-picture.js'
import { OBJECT_STORAGE } from './object-storage.token.js'
import { PictureUses } from './picture-uses.js'
import { PixelBudget } from './pixel-budget.js'
import { ScaledPictures } from './scaled-pictures.js'

/** The most pictures that this process decodes at a time, and the most that may wait. */
export const PICTURES_AT_ONCE = 1
export const MAX_PICTURES_WAITING = 200
/** The most pictures of one user that may wait. A request decodes its pictures one by one, so this limits requests. */
export const MAX_PICTURES_WAITING_PER_USER = 20

const MEGABYTE = 1024 * 1024
const REASONS = {
  'not-a-picture': ['IMAGE_INVALID', 'File must be an image: JPEG, PNG or WebP, complete and undamaged'],
  'too-many-bytes': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_BYTES / MEGABYTE} MB`],
  'too-many-pixels': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_PIXELS / 1_000_000} megapixels`],
  'too-long': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_SIDE} pixels wide or high`],
} as const

/** The user who sends pictures. */
export interface ImageSender {
  readonly userId: string
  /** Aborted when the user's connection has closed: waiting pictures are then not decoded. */
  readonly left: AbortSignal
}

/** A picture to send. */
export interface FoundPicture {
  /** The hash of the bytes that are sent. */
  readonly hash: string
  readonly object: StoredObject
  /** Whether everyone may see it. */
  readonly visibility: Visibility
  /** Whether the address always has these bytes. False for a stored picture in place of a scaled one that cannot be made now. */
  readonly isFinal: boolean
}

/** The user or visitor who requests a picture. */
interface PictureViewer {
  /** Null for a visitor. */
  readonly userId: string | null
  /** The key of the client's address (`addressKey`). */
  readonly address: string
}

/**
 * Stores and reads pictures. Pictures are never deleted, because the terms of a deal can name pictures that its listing no
 * longer has.
 */
@Injectable()
export class ImagesService {
  readonly #encoding = new FairQueue({
    concurrency: PICTURES_AT_ONCE,
    maxWaiting: MAX_PICTURES_WAITING,
    maxWaitingPerOwner: MAX_PICTURES_WAITING_PER_USER,
  })

  constructor(
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    private readonly uses: PictureUses,
    private readonly budget: PixelBudget,
    private readonly scaled: ScaledPictures,
  ) {}

  /**
   * Stores those of `images` that are data URLs, unless one of them is invalid. Returns their hashes in the same order, with
   * null for entries that are not data URLs.
   *
   * @throws DomainError IMAGE_INVALID or IMAGE_TOO_LARGE, naming the field: `images.2`; RATE_LIMITED for a sender who has sent
   * too many pixels or has too many requests waiting; UNAVAILABLE when too many users wait, or the sender has left
   */
  async keep(images: readonly string[], sender: ImageSender): Promise<(string | null)[]> {
    images.forEach((image, i) => {
      const bytes = isDataUrl(image) ? dataUrlBytes(image) : 0
      if (bytes !== null && bytes > MAX_IMAGE_BYTES) throw refusal('too-many-bytes', i)
    })
    const jpegs: (Buffer | null)[] = []
    for (const [i, image] of images.entries())
      jpegs.push(isDataUrl(image) ? await this.#encode(image, i, sender) : null)
    return Promise.all(jpegs.map(jpeg => jpeg && this.#put(jpeg)))
  }

  /** A stored picture by its hash, whoever may see it: the caller has checked that. */
  async findStored(hash: string): Promise<FoundPicture | null> {
    const object = await this.storage.get(hash)
    return object && { hash, object, visibility: 'private', isFinal: true }
  }

  /**
   * A picture by the hash of its content, for a viewer who may see it (`visibilityFor`). It is null for one who may not, as
   * for an unknown hash.
   *
   * @param viewerId the user; null for a visitor
   */
  async find(hash: string, viewerId: string | null): Promise<FoundPicture | null> {
    const visibility = visibilityFor(await this.uses.find(hash), viewerId)
    const object = visibility && (await this.storage.get(hash))
    return object && { hash, object, visibility, isFinal: true }
  }

  /**
   * A picture scaled down to a width, for viewers who may see the picture. For others it is null, and nothing is made. While the
   * scaled picture cannot be made (`ScaledPictures.find`), it is the stored one.
   */
  async findScaled(
    source: string,
    width: ImageWidth,
    { userId, address }: PictureViewer,
  ): Promise<FoundPicture | null> {
    const visibility = visibilityFor(await this.uses.find(source), userId)
    if (!visibility) return null
    const scaled = await this.scaled.find({ source, width }, userId ?? address)
    if (scaled) return { ...scaled, visibility, isFinal: true }
    const object = await this.storage.get(source)
    return object && { hash: source, object, visibility, isFinal: false }
  }

  async #encode(image: string, index: number, { userId, left }: ImageSender): Promise<Buffer> {
    // The data URL is decoded only now, so that waiting pictures are not in memory twice.
    const encode = async () => {
      const bytes = decodeDataUrl(image)
      const measured = bytes ? await measurePicture(bytes) : 'not-a-picture'
      if (typeof measured === 'string') return measured
      await this.budget.spend(userId, measured.pixels)
      return encodePicture(measured)
    }
    const encoded = await this.#encoding.run(userId, encode, left)
    if (typeof encoded === 'string') throw refusal(encoded, index)
    return encoded
  }

  async #put(jpeg: Buffer): Promise<string> {
    const hash = objectKey(jpeg)
    await this.storage.put(hash, jpeg, 'image/jpeg')
    return hash
  }
}

const isDataUrl = (image: string): boolean => image.startsWith('data:')

function refusal(reason: keyof typeof REASONS, index: number): DomainError {
  const [code, message] = REASONS[reason]
  return new DomainError(code, { fields: { [`images.${index}`]: message } })
}
