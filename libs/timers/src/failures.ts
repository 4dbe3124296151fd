const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 5 * 60_000

/** Most failing deadlines remembered; beyond, the oldest is forgotten, which only means an attempt more. */
const MAX_REMEMBERED = 1_000

interface Failure {
  readonly source: string
  readonly times: number
  readonly notBefore: number
}

/** Deadlines that could not fire, so that one that keeps failing is tried ever less often and holds up no other. */
export class Failures {
  private readonly known = new Map<string, Failure>()

  note(source: string, id: string, now = Date.now()): void {
    const key = `${source}/${id}`
    const times = (this.known.get(key)?.times ?? 0) + 1
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1))
    this.known.delete(key)
    this.known.set(key, { source, times, notBefore: now + wait })
    const oldest = this.known.keys().next()
    if (this.known.size > MAX_REMEMBERED && !oldest.done) this.known.delete(oldest.value)
  }

  forget(source: string, id: string): void {
    this.known.delete(`${source}/${id}`)
  }

  mayTry(source: string, id: string, now = Date.now()): boolean {
    return (this.known.get(`${source}/${id}`)?.notBefore ?? 0) <= now
  }

  /** How many of a source are known to fail. */
  count(source: string): number {
    let count = 0
    for (const failure of this.known.values()) if (failure.source === source) count++
    return count
  }
}
