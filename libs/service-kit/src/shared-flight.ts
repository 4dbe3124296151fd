/** How many items one statement carries at most. */
export const MAX_FLIGHT = 64

interface Waiting<I> {
  readonly item: I
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets items that arrive while a statement is out share the next one. Nobody waits for company: when none is out, an
 * item leaves at the end of the turn. A flight that fails is repeated item by item, so that one bad item fails alone.
 *
 * @param send writes the items, all or none
 */
export function sharedFlight<I>(send: (items: readonly I[]) => Promise<void>): (item: I) => Promise<void> {
  const queue: Waiting<I>[] = []
  let running = false

  const run = async (): Promise<void> => {
    while (queue.length > 0) await fly(queue.splice(0, MAX_FLIGHT))
    running = false
  }

  const fly = async (passengers: readonly Waiting<I>[]): Promise<void> => {
    try {
      await send(passengers.map(({ item }) => item))
      for (const { resolve } of passengers) resolve()
    } catch (error) {
      const [only, ...others] = passengers
      if (only && others.length === 0) only.reject(error)
      else for (const passenger of passengers) await fly([passenger])
    }
  }

  return item =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (running) return
      running = true
      setImmediate(() => void run())
    })
}
