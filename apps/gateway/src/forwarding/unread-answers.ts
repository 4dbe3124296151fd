import type { Readable } from 'node:stream'

/**
 * The most bytes of long answers that wait in memory for clients to read them. A page of a hundred listings has at most two
 * megabytes.
 */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024

/** The long answers that are being sent. Together they have a limited size, so clients that do not read cannot fill the memory. */
export class UnreadAnswers {
  /** The client of each answer. The answer that began first comes first. */
  readonly #senders = new Map<Readable, string>()

  constructor(private readonly maxBytes = MAX_UNREAD_BYTES) {}

  /** @param client the user or the address that gets the answer */
  add(answer: Readable, client: string): void {
    this.#senders.set(answer, client)
    answer.once('close', () => this.#senders.delete(answer))
  }

  /**
   * Ends answers until the others fit into the limit. To be called when an answer has grown. The client with the most unread
   * bytes loses its oldest answer, so that a client that does not read takes nothing from the others.
   */
  keepWithinLimit(): void {
    while (this.#unreadBytes() > this.maxBytes) {
      const oldest = this.#oldestOfWorst()
      this.#senders.delete(oldest)
      oldest.destroy(new Error('the client reads too slowly'))
    }
  }

  /** Runs for each part of each long answer, so it makes no list of the clients. */
  #unreadBytes(): number {
    let total = 0
    for (const { readableLength } of this.#senders.keys()) total += readableLength
    return total
  }

  #oldestOfWorst(): Readable {
    const unreadOf = new Map<string, number>()
    for (const [{ readableLength }, client] of this.#senders)
      unreadOf.set(client, (unreadOf.get(client) ?? 0) + readableLength)
    const [worst] = [...unreadOf].reduce((most, each) => (each[1] > most[1] ? each : most))
    return [...this.#senders].find(([, client]) => client === worst)![0]
  }
}
