import { MAX_IMAGE_PIXELS } from '@holdfast/kernel/images'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/**
 * The pixels that a user may have decoded within ten minutes: ten pictures of the largest size, or 1,600 of those that the
 * web app sends. A file of 40 bytes can hold 40 megapixels, which take most of a second to decode.
 */
export const MAX_PIXELS_PER_USER = 10 * MAX_IMAGE_PIXELS
/** Counted in thousands, because the count is a 32-bit integer. */
const KILO = 1_000
const KILOPIXELS_PER_USER = { attempts: MAX_PIXELS_PER_USER / KILO, seconds: 600 }

/** Limits the pixels of each user, because the time to decode a picture depends on its pixels and not on its bytes. */
@Injectable()
export class PixelBudget {
  readonly #uploads: Attempts
  /** A budget of its own, so that a user who has looked at many new pictures can still upload some. */
  readonly #scaling: Attempts

  constructor(dataSource: DataSource) {
    this.#uploads = new Attempts(dataSource, 'kilopixels', KILOPIXELS_PER_USER)
    this.#scaling = new Attempts(dataSource, 'scaled-kilopixels', KILOPIXELS_PER_USER)
  }

  /**
   * Counts the pixels of an uploaded picture.
   *
   * @throws DomainError `RATE_LIMITED` when the user has spent the budget
   */
  spend(userId: string, pixels: number): Promise<void> {
    return this.#uploads.count(userId, Math.ceil(pixels / KILO))
  }

  /**
   * Counts the pixels of a stored picture that is scaled for a viewer.
   *
   * @param viewer the user's id, or the address of a visitor
   * @throws DomainError `RATE_LIMITED` when the viewer has spent the budget
   */
  spendOnScaling(viewer: string, pixels: number): Promise<void> {
    return this.#scaling.count(viewer, Math.ceil(pixels / KILO))
  }
}
