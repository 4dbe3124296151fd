import type { LiveMessage } from './live-message.js'

/** Messages kept for browsers that come back: at some hundred a minute, the last quarter of an hour. */
export const MAX_RECENT_MESSAGES = 10_000
/**
 * Topics and partitions are read side by side, so another replica may have seen what came just before a message only after
 * it. Whoever resumes hears what came shortly before once more: to look twice is harmless, to miss something is not.
 */
export const RESUME_OVERLAP_MS = 5_000

/**
 * A page asks for what it shows, and listens a moment later: what happens in between would be in neither. So whoever
 * comes for the first time hears what came shortly before, also where the network is slow.
 */
export const ARRIVAL_OVERLAP_MS = 60_000

interface Kept {
  readonly message: LiveMessage
  readonly heardAtMs: number
}

/** The last messages, in the order in which this process heard them. */
export class RecentMessages {
  private kept: Kept[] = []
  /** Where each id stands, counted from the very first message. */
  private readonly places = new Map<string, number>()
  private forgotten = 0

  constructor(private readonly max = MAX_RECENT_MESSAGES) {}

  get newestId(): string {
    return this.kept.at(-1)?.message.id ?? ''
  }

  /** Answers false for a message it has already. */
  add(message: LiveMessage, heardAtMs: number): boolean {
    if (this.places.has(message.id)) return false
    this.places.set(message.id, this.forgotten + this.kept.length)
    this.kept.push({ message, heardAtMs })
    // Forgetting a whole lot at a time keeps each message cheap.
    if (this.kept.length >= 2 * this.max) this.forget(this.max)
    return true
  }

  /** What a user has missed since a message; null when that message is not, or no longer, known. */
  since(id: string, userId: string): LiveMessage[] | null {
    const place = this.places.get(id)
    if (place === undefined) return null
    const { heardAtMs } = this.kept[place - this.forgotten]!
    return this.heardFrom(heardAtMs - RESUME_OVERLAP_MS, userId).filter(message => message.id !== id)
  }

  /** What a user who comes now for the first time may have missed. */
  beforeArrival(nowMs: number, userId: string): LiveMessage[] {
    return this.heardFrom(nowMs - ARRIVAL_OVERLAP_MS, userId)
  }

  private heardFrom(earliestMs: number, userId: string): LiveMessage[] {
    let from = this.kept.length
    while (from > 0 && this.kept[from - 1]!.heardAtMs >= earliestMs) from--
    const heard = this.kept.slice(from).map(({ message }) => message)
    return heard.filter(({ recipients }) => recipients.includes(userId))
  }

  private forget(count: number): void {
    for (const { message } of this.kept.slice(0, count)) this.places.delete(message.id)
    this.kept = this.kept.slice(count)
    this.forgotten += count
  }
}
