import { eventually } from './eventually.js'

/** Long enough for a busy machine. A service that works is busy for seconds. */
const SERVED_WITHIN_MS = 60_000

/**
 * Sends a request as its real caller does: the same one again while it is answered 503. Providers do so with their events, and people with their
 * commands. A service answers 503 when no connection to its database becomes free in time, as on a busy machine. A test that looks at the 503
 * itself sends once.
 *
 * @param send must be such that what is done twice has its effect once
 */
export const untilServed = <A extends { readonly status: number }>(send: () => Promise<A>): Promise<A> =>
  eventually(async () => {
    const answer = await send()
    return answer.status === 503 ? null : answer
  }, SERVED_WITHIN_MS)
