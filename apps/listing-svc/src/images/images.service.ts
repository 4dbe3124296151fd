import { DomainError } from '@holdfast/kernel/errors'
import { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from '@holdfast/kernel/images'
import { BoundedQueue } from '@holdfast/service-kit/lifecycle/bounded-queue'
import { type ObjectStorage, objectKey, type StoredObject } from '@holdfast/storage/object-storage'
import { Inject, Injectable } from '@nestjs/common'
import { dataUrlBytes, decodeDataUrl } from './domain/data-url.js'
import { type EncodedPicture, encodePicture, MAX_IMAGE_SIDE } from './encode-picture.js'
import { OBJECT_STORAGE } from './object-storage.token.js'

/** The most pictures that this process decodes at a time, and the most that may wait. */
export const PICTURES_AT_ONCE = 1
export const MAX_PICTURES_WAITING = 200

const MEGABYTE = 1024 * 1024
const REASONS = {
  'not-a-picture': ['IMAGE_INVALID', 'File must be an image: JPEG, PNG or WebP, complete and undamaged'],
  'too-many-bytes': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_BYTES / MEGABYTE} MB`],
  'too-many-pixels': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_PIXELS / 1_000_000} megapixels`],
  'too-long': ['IMAGE_TOO_LARGE', `At most ${MAX_IMAGE_SIDE} pixels wide or high`],
} as const

/**
 * Stores and reads pictures. Pictures are never deleted, because the terms of a deal can name pictures that its listing no
 * longer has.
 */
@Injectable()
export class ImagesService {
  readonly #encoding = new BoundedQueue(PICTURES_AT_ONCE, MAX_PICTURES_WAITING)

  constructor(@Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage) {}

  /**
   * Stores those of `images` that are data URLs, unless one of them is invalid. Returns their hashes in the same order, with
   * null for entries that are not data URLs.
   *
   * @throws DomainError IMAGE_INVALID or IMAGE_TOO_LARGE, naming the field: `images.2`
   */
  async keep(images: readonly string[]): Promise<(string | null)[]> {
    images.forEach((image, i) => {
      const bytes = isDataUrl(image) ? dataUrlBytes(image) : 0
      if (bytes !== null && bytes > MAX_IMAGE_BYTES) throw refusal('too-many-bytes', i)
    })
    const jpegs: (Buffer | null)[] = []
    for (const [i, image] of images.entries()) jpegs.push(isDataUrl(image) ? await this.#encode(image, i) : null)
    return Promise.all(jpegs.map(jpeg => jpeg && this.#put(jpeg)))
  }

  /** A picture by the hash of its content. */
  find(hash: string): Promise<StoredObject | null> {
    return this.storage.get(hash)
  }

  async #encode(image: string, index: number): Promise<Buffer> {
    // The data URL is decoded only now, so that waiting pictures are not in memory twice.
    const encoded = await this.#encoding.run<EncodedPicture>(async () => {
      const bytes = decodeDataUrl(image)
      return bytes ? encodePicture(bytes) : { refusal: 'not-a-picture' }
    })
    if (encoded.refusal !== null) throw refusal(encoded.refusal, index)
    return encoded.jpeg
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
