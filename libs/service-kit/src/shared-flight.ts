import { isOutcomeUnknown } from './database-trouble.js'

/** How many items one statement carries at most: enough to share its cost, small enough to stay a quick statement. */
export const MAX_FLIGHT = 64

interface Waiting<I, O> {
  readonly item: I
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets calls that arrive while a statement is out share the next one. Nobody waits for company: an idle flight leaves
 * at once, so there is no timer and a lone call costs nothing. A flight that is refused is repeated one by one, so one bad
 * item fails alone. One whose connection is lost is not: it may have arrived, and a repeat would mistake its own work for
 * somebody else's; and while the database is away, asking for each item again would only keep all of them waiting.
 *
 * @param send answers one output per item, in order; or nothing, where only success counts
 */
export function sharedFlight<I, O = void>(
  send: (items: readonly I[]) => Promise<[O] extends [void] ? void : readonly O[]>,
): (item: I) => Promise<O> {
  const queue: Waiting<I, O>[] = []
  /** A flight is out, or about to leave. */
  let busy = false

  const depart = async () => {
    while (queue.length > 0) await fly(queue.splice(0, MAX_FLIGHT))
    busy = false
  }

  const fly = async (passengers: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      const outputs = await send(passengers.map(p => p.item))
      for (const [i, passenger] of passengers.entries()) passenger.resolve(outputs?.[i] as O)
    } catch (error) {
      const [only, ...others] = passengers
      if (isOutcomeUnknown(error)) for (const passenger of passengers) passenger.reject(error)
      else if (only && others.length === 0) only.reject(error)
      else for (const passenger of passengers) await fly([passenger])
    }
  }

  return item =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (busy) return
      busy = true
      // After this turn of the event loop: what came in with the same packet leaves together.
      setImmediate(() => void depart())
    })
}
