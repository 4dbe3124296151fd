import { MAX_IMAGE_PIXELS } from '@holdfast/kernel/images'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import type { DataSource } from 'typeorm'

/**
 * The pixels that a user may have decoded within ten minutes: ten pictures of the largest size, or 1,600 of those that the
 * web app sends. A file of 40 bytes can hold 40 megapixels, which take most of a second to decode.
 */
export const MAX_PIXELS_PER_USER = 10 * MAX_IMAGE_PIXELS
/** Counted in thousands, because the count is a 32-bit integer. */
const KILO = 1_000
const KILOPIXELS_PER_USER = { attempts: MAX_PIXELS_PER_USER / KILO, seconds: 600 }

/**
 * Limits the pixels of each user, because the time to decode a picture depends on its pixels and not on its bytes. The service's
 * schema has the `ATTEMPTS_TABLE`.
 */
export class PixelBudget {
  readonly #attempts: Attempts

  /** @param name of the budget: each budget has its own counts */
  constructor(dataSource: DataSource, name: string) {
    this.#attempts = new Attempts(dataSource, name, KILOPIXELS_PER_USER)
  }

  /**
   * Counts the pixels of a picture that is decoded, or in their place the bytes of a file that is none.
   *
   * @param owner the user's id, or the address of a visitor
   * @throws DomainError `RATE_LIMITED` when the owner has spent the budget
   */
  spend(owner: string, pixels: number): Promise<void> {
    return this.#attempts.count(owner, Math.ceil(pixels / KILO))
  }
}
