import { isUnanswered } from './database-trouble.js'

/** The most calls that share one statement. Larger batches save little more and make the statement slow. */
export const MAX_BATCH = 64

interface PendingCall<I, O> {
  readonly item: I
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: calls that arrive while a statement is running share the next one.
 *
 * - A call that finds no statement running starts one at the end of the current turn of the event loop. There is no
 *   timer, so a single call is not delayed.
 * - When the database refuses a batch, its calls are repeated one by one, so that one invalid item fails alone.
 * - When the outcome of a batch is unknown (the connection was lost), all of its calls fail and none is repeated. The
 *   statement may have committed, and a repeat would treat its own rows as those of another process.
 *
 * @param send runs one batch; it returns one output per item, in order, or nothing when the calls have no output
 * @returns a function that adds one item to the next batch and returns its output
 */
export function batchCalls<I, O = void>(
  send: (items: readonly I[]) => Promise<[O] extends [void] ? void : readonly O[]>,
): (item: I) => Promise<O> {
  const queue: PendingCall<I, O>[] = []
  let running = false

  const drainQueue = async () => {
    while (queue.length > 0) await runBatch(queue.splice(0, MAX_BATCH))
    running = false
  }

  const runBatch = async (calls: readonly PendingCall<I, O>[]): Promise<void> => {
    try {
      const outputs = await send(calls.map(call => call.item))
      for (const [i, call] of calls.entries()) call.resolve(outputs?.[i] as O)
    } catch (error) {
      const [only, ...others] = calls
      if (isUnanswered(error)) for (const call of calls) call.reject(error)
      else if (only && others.length === 0) only.reject(error)
      else for (const call of calls) await runBatch([call])
    }
  }

  return item =>
    new Promise<O>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (running) return
      running = true
      // Requests that arrived in the same network packet are handled in this turn, so they share the batch.
      setImmediate(() => void drainQueue())
    })
}
