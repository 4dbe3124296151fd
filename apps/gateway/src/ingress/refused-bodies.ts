import type { Sender } from './sender.js'

/** How long a refused body counts against its sender. */
const REFUSALS_COUNT_MS = 15 * 60_000
/** The most senders whose refused bodies are remembered. */
const MAX_REMEMBERED = 10_000

/** Counts the bodies of each person and address that were refused, or did not arrive, in the last quarter of an hour. */
export class RefusedBodies {
  readonly #counts = new Map<string, { readonly count: number; readonly until: number }>()

  of({ person, address }: Sender): number {
    return Math.max(this.#of(person), this.#of(address))
  }

  count({ person, address }: Sender): void {
    for (const name of [person, address]) {
      const count = this.#of(name) + 1
      // The one that was counted last stands at the end.
      this.#counts.delete(name)
      this.#counts.set(name, { count, until: performance.now() + REFUSALS_COUNT_MS })
    }
    for (const [oldest] of this.#counts) {
      if (this.#counts.size <= MAX_REMEMBERED) break
      this.#counts.delete(oldest)
    }
  }

  /** The person has sent one that was not refused. Their address may have other accounts. */
  forget({ person }: Sender): void {
    this.#counts.delete(person)
  }

  #of(name: string): number {
    const counted = this.#counts.get(name)
    return counted && counted.until > performance.now() ? counted.count : 0
  }
}
