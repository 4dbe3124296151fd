import { DomainError } from '@holdfast/kernel/errors'
import { type RequestScope, requestContext } from '../telemetry/logging.js'
import { histogram } from '../telemetry/metrics.js'
import { runShared, type Span, startSpan, withSpan } from '../telemetry/telemetry.js'
import { isUnanswered } from './database-trouble.js'

/** The most calls that share one statement. Larger batches save little more and make the statement slow. */
export const MAX_BATCH = 64
/** The most calls that wait for a statement. A healthy database answers so many within a second. */
export const MAX_WAITING = 1_000
/**
 * How long the calls of a refused batch are repeated one by one. While the database is so slow that each of them is stopped by its time
 * limit, the repeats of a full batch would hold up all later calls for minutes.
 */
export const REPEATED_FOR_MS = 10_000

interface PendingCall<I, O> {
  readonly item: I
  /** From the call until its output; null when it is not recorded. */
  readonly span: Span | null
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
  /** Whether the request's caller has left; undefined for a call that is never dropped. */
  readonly hasCallerLeft: (() => boolean) | undefined
  readonly queuedAtMs: number
}

const sizes = histogram(
  'db_batch_calls',
  'Calls that shared one statement of the database',
  ['batch'],
  [1, 2, 4, 8, 16, 32, MAX_BATCH],
)
const waits = histogram('db_batch_wait_seconds', 'How long the first call of a batch has waited for its statement', [
  'batch',
])

/** The requests that have made a call already. Their later calls run in any case, so that no work is left half done. */
const begun = new WeakSet<RequestScope>()

/**
 * Group commit: calls that arrive while a statement is running share the next one.
 *
 * - A call that finds no statement running starts one at the end of the current turn of the event loop. There is no
 *   timer, so a single call is not delayed.
 * - When the database refuses a batch, its calls are repeated one by one, so that one invalid item fails alone. Those whose turn has not
 *   come after `REPEATED_FOR_MS` are refused.
 * - When the outcome of a batch is unknown (the connection was lost), all of its calls fail and none is repeated. The
 *   statement may have committed, and a repeat would treat its own rows as those of another process.
 * - When `MAX_WAITING` calls wait already, a further one is refused at once.
 * - When the caller of a request leaves before the first call of that request is sent or repeated, the call is dropped.
 * - Each call has a span in its own trace, and the statement is recorded in the first of them (`runShared`).
 *
 * @param name the name of the batches in metrics and traces
 * @param send runs one batch; it returns one output per item, in order, or nothing when the calls have no output
 * @returns a function that adds one item to the next batch and returns its output. It throws the DomainError `UNAVAILABLE`
 * for a call that is refused or dropped: then nothing was done
 */
export function batchCalls<I, O = void>(
  name: string,
  send: (items: readonly I[]) => Promise<[O] extends [void] ? void : readonly O[]>,
): (item: I) => Promise<O> {
  const queue: PendingCall<I, O>[] = []
  const size = sizes.labels({ batch: name })
  const waited = waits.labels({ batch: name })
  let running = false

  const drainQueue = async () => {
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH).filter(isWanted)
      const [first] = batch
      if (!first) continue
      size.observe(batch.length)
      waited.observe((performance.now() - first.queuedAtMs) / 1000)
      await runBatch(batch)
    }
    running = false
  }

  const runBatch = async (calls: readonly PendingCall<I, O>[]): Promise<void> => {
    try {
      const outputs = await runShared(
        calls.map(call => call.span),
        () => send(calls.map(call => call.item)),
      )
      for (const [i, call] of calls.entries()) call.resolve(outputs?.[i] as O)
    } catch (error) {
      const [only, ...others] = calls
      if (isUnanswered(error)) for (const call of calls) call.reject(error)
      else if (only && others.length === 0) only.reject(error)
      else await repeat(calls)
    }
  }

  const repeat = async (calls: readonly PendingCall<I, O>[]): Promise<void> => {
    const until = performance.now() + REPEATED_FOR_MS
    for (const call of calls) {
      if (performance.now() > until) call.reject(new DomainError('UNAVAILABLE'))
      else if (isWanted(call)) await runBatch([call])
    }
  }

  const wait = (item: I, span: Span | null): Promise<O> =>
    new Promise((resolve, reject) => {
      if (queue.length >= MAX_WAITING) throw new DomainError('UNAVAILABLE')
      const hasCallerLeft = firstCallOfRequest()
      queue.push({ item, span, resolve, reject, hasCallerLeft, queuedAtMs: performance.now() })
      if (running) return
      running = true
      // Requests that arrived in the same network packet are handled in this turn, so they share the batch.
      setImmediate(() => void drainQueue())
    })

  return item => {
    const span = startSpan(name)
    return withSpan(span, () => wait(item, span))
  }
}

/** Whether the request's caller has left, as a function; undefined unless this is the first call of a request. */
function firstCallOfRequest(): (() => boolean) | undefined {
  const scope = requestContext.getStore()
  if (!scope?.hasCallerLeft || begun.has(scope)) return undefined
  begun.add(scope)
  return scope.hasCallerLeft
}

/** Drops a call whose caller has left. */
function isWanted({ hasCallerLeft, reject }: Pick<PendingCall<unknown, unknown>, 'hasCallerLeft' | 'reject'>): boolean {
  if (!hasCallerLeft?.()) return true
  reject(new DomainError('UNAVAILABLE'))
  return false
}
