import { ConnectionError } from './api-error.js'

/** A request without an answer after this time is sent again. It then uses another connection, which may lead to another replica. */
export const HEDGE_AFTER_MS = 250
/**
 * The most attempts of one request, when one replica after the other hangs. The pool may send an attempt of a GET again when its
 * connection fails (`MAX_READ_RETRIES`).
 */
export const MOST_SENDS = 3

/**
 * Sends a read. It is sent again when its connection fails, or when there is no answer for a while. So one replica that hangs does not
 * delay its callers for their whole time limit. The first answer counts, also an error response.
 *
 * @param send sends the request once
 * @param signal when it aborts, the request is not sent again
 * @throws the error response, or the failure of the last attempt that ended
 */
export function hedged<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return repeated(again => {
    const later = setTimeout(again, HEDGE_AFTER_MS)
    return send().finally(() => clearTimeout(later))
  }, signal)
}

/**
 * Sends a write that may be sent twice at the same time. It is sent again when its connection fails or its replica hangs, and not because
 * it takes long: while the database is slow, that would double the work. The first answer counts, also an error response.
 *
 * @param send sends the request once, and calls the function that it gets when the replica hangs
 * @param signal when it aborts, the request is not sent again
 * @throws the error response, or the failure of the last attempt that ended
 */
export function repeated<T>(send: (onReplicaHangs: () => void) => Promise<T>, signal: AbortSignal): Promise<T> {
  return firstAnswer(again => {
    const sendAgain = () => signal.aborted || again()
    return send(sendAgain).catch(error => {
      if (error instanceof ConnectionError) sendAgain()
      throw error
    })
  })
}

/**
 * Sends a request that may be sent twice at the same time, at most `MOST_SENDS` times. The first answer counts, also an error response.
 *
 * @param send sends the request once. It calls the function that it gets for the request to be sent again, such as when its replica hangs
 * @throws the error response, or the failure of the last attempt that ended
 */
export function firstAnswer<T>(send: (again: () => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let sends = 0
    let running = 0
    const settle = (end: () => void): void => {
      sends = MOST_SENDS
      end()
    }
    const sendOnce = (): void => {
      if (sends === MOST_SENDS) return
      sends++
      running++
      send(sendOnce).then(
        answer => settle(() => resolve(answer)),
        (error: unknown) => {
          running--
          // While another attempt is under way, that one decides.
          if (running === 0 || !(error instanceof ConnectionError)) settle(() => reject(error))
        },
      )
    }
    sendOnce()
  })
}
