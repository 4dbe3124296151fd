/** The first pause after a failure, and the longest one, in milliseconds. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/** A larger exponent changes nothing, because any longest pause is reached before. */
const MAX_DOUBLINGS = 30

/**
 * How long to wait before another attempt, in milliseconds: the pause doubles with each failure.
 *
 * @param failures how many attempts in a row have failed, from 1
 */
export const pauseAfter = (failures: number, { firstMs, longestMs }: Backoff): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS))
