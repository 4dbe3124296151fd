import { ConnectionError } from './api-error.js'

/** A request without an answer after this time is sent again. It then uses another connection, which may lead to another replica. */
export const HEDGE_AFTER_MS = 250
/**
 * The most attempts of one request, when one replica after the other hangs. An attempt of `hedged` that is a GET may itself be sent again when its
 * connection fails (`MAX_READ_RETRIES`).
 */
export const MOST_SENDS = 3

/**
 * Sends a request that may be sent twice at the same time, and sends it again when its connection fails or when there is no answer for a while.
 * So one replica that hangs does not delay its callers for their whole time limit. The first answer counts, a refusal included.
 *
 * @param send sends the request once
 * @param signal when it aborts, the request is not sent again
 * @throws the refusal, or the failure of the last attempt that ended
 */
export function hedged<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let sends = 0
    let running = 0
    let later: NodeJS.Timeout | undefined
    const settle = (end: () => void): void => {
      clearTimeout(later)
      sends = MOST_SENDS
      end()
    }
    const sendOnce = (): void => {
      clearTimeout(later)
      sends++
      running++
      if (sends < MOST_SENDS) later = setTimeout(sendAgain, HEDGE_AFTER_MS)
      send().then(
        answer => settle(() => resolve(answer)),
        (error: unknown) => {
          running--
          const isOver = signal.aborted || !(error instanceof ConnectionError)
          if (isOver || (running === 0 && sends === MOST_SENDS)) settle(() => reject(error))
          else sendAgain()
        },
      )
    }
    const sendAgain = (): void => {
      if (sends < MOST_SENDS && !signal.aborted) sendOnce()
    }
    sendOnce()
  })
}
