import { z } from 'zod'

const MAX_FAULTS = 50
const MAX_DELAY_MS = 120_000

/**
 * What may go wrong with a call to the provider or the carrier:
 * `delay` answers late; `refuse` drops the connection and does nothing; `lose_answer` does the work and then drops the
 * connection; `error` answers 500 and does nothing; `error_after` does the work and answers 500; `rate_limit` answers 429. A 500
 * is kept under the call's idempotency key, and the same key gets it again.
 */
export const faultInput = z.strictObject({
  kind: z.enum(['delay', 'refuse', 'lose_answer', 'error', 'error_after', 'rate_limit']),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** Part of the path, such as `/confirm` or `/v1/refunds`; every call when absent. */
  path: z.string().max(200).optional(),
  /** How many calls it affects. */
  times: z.number().int().min(1).max(10_000).default(1),
  /** For `delay`, and before any other kind takes effect. */
  delayMs: z.number().int().min(0).max(MAX_DELAY_MS).default(0),
})

export type Fault = z.output<typeof faultInput> & { readonly id: number }

/** Faults that wait for a call. They are kept in memory only, so that a restart removes them. */
export class Faults {
  private waiting: Fault[] = []
  private nextId = 1

  list(): readonly Fault[] {
    return this.waiting
  }

  /** @returns null when too many wait already */
  add(input: z.output<typeof faultInput>): Fault | null {
    if (this.waiting.length >= MAX_FAULTS) return null
    const fault = { ...input, id: this.nextId++ }
    this.waiting.push(fault)
    return fault
  }

  clear(): void {
    this.waiting = []
  }

  /** Takes the oldest fault that matches this call; each use counts against its `times`. */
  take(method: string, path: string): Fault | null {
    const fault = this.waiting.find(
      each => (!each.method || each.method === method) && (!each.path || path.includes(each.path)),
    )
    if (!fault) return null
    const times = fault.times - 1
    this.waiting = this.waiting.flatMap(each => (each !== fault ? [each] : times > 0 ? [{ ...fault, times }] : []))
    return fault
  }
}
