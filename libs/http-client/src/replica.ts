/** A replica that has answered nothing for this long since a request was sent gets health checks in place of further requests. */
export const SUSPECT_AFTER_MS = 200
/** A replica that has answered nothing for this long, its health check included, hangs. */
export const HANGS_AFTER_MS = 400

/** One process of a service, as its answers show it. Times are those of `performance.now()`. */
export class Replica {
  /** The connections whose request has no answer. A Set keeps its order, so the one that was sent first comes first. */
  readonly unanswered = new Set<{ readonly sentAtMs: number }>()
  #answeredAtMs = Number.NEGATIVE_INFINITY

  /** @param name what its answers call it; null before the first one */
  constructor(readonly name: string | null) {}

  /** Notes a sign of life. */
  answered(): void {
    this.#answeredAtMs = performance.now()
  }

  isSuspect(nowMs: number): boolean {
    return this.#silentMs(nowMs) >= SUSPECT_AFTER_MS
  }

  hangs(nowMs: number): boolean {
    return this.#silentMs(nowMs) >= HANGS_AFTER_MS
  }

  /** Whether it has answered before and is not suspect now. */
  isTrusted(nowMs: number): boolean {
    return this.name !== null && !this.isSuspect(nowMs)
  }

  /** For how long it has answered nothing while a request waited. A slow request does not count while others are answered. */
  #silentMs(nowMs: number): number {
    for (const { sentAtMs } of this.unanswered) return nowMs - Math.max(sentAtMs, this.#answeredAtMs)
    return 0
  }
}
