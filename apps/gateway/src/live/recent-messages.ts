import type { LiveMessage } from './live-message.js'

/** Messages kept for browsers that come back: at some hundred a minute, the last quarter of an hour. */
export const MAX_RECENT_MESSAGES = 10_000
/**
 * Topics and partitions are read side by side, so another replica may have seen what came just before a message only after
 * it. Whoever resumes hears what came shortly before once more: to look twice is harmless, to miss something is not.
 */
export const RESUME_OVERLAP_MS = 5_000

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
    let from = place - this.forgotten
    const earliestMs = this.kept[from]!.heardAtMs - RESUME_OVERLAP_MS
    while (from > 0 && this.kept[from - 1]!.heardAtMs >= earliestMs) from--
    const missed = this.kept.slice(from).map(({ message }) => message)
    return missed.filter(message => message.id !== id && message.recipients.includes(userId))
  }

  private forget(count: number): void {
    for (const { message } of this.kept.slice(0, count)) this.places.delete(message.id)
    this.kept = this.kept.slice(count)
    this.forgotten += count
  }
}
