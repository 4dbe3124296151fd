import type { LiveMessage } from './live-message.js'

/**
 * At least this many of the last messages are kept for browsers that reconnect, and at most twice as many. With several hundred a minute they
 * cover 15 minutes.
 */
const LEAST_RECENT_MESSAGES = 10_000
/**
 * Two replicas of the gateway may receive the same messages in a different order, because topics and partitions are read at
 * the same time. So a browser that resumes also gets the messages of this time before its last one again. A repeated message
 * does no harm; a missed one does.
 */
export const RESUME_OVERLAP_MS = 5_000

/**
 * A page loads its data first and opens its stream a moment later. A change in between would be in neither. So a new stream
 * begins with the messages of this time, which is long enough for a slow network.
 */
export const ARRIVAL_OVERLAP_MS = 60_000

interface Kept {
  readonly message: LiveMessage
  readonly receivedAtMs: number
}

/**
 * The newest id before the first message. No message has it, so a browser that resumes from it loads everything again. An empty id would be
 * none: that browser would then get the messages of `ARRIVAL_OVERLAP_MS` alone, however long it was away.
 */
const NO_MESSAGE_YET = 'none'

/** The last messages, in the order in which this process received them. */
export class RecentMessages {
  private kept: Kept[] = []
  /** The position of each id, counted from the first message ever received. */
  private readonly positions = new Map<string, number>()
  /** How many messages have been dropped. */
  private dropped = 0

  constructor(private readonly least = LEAST_RECENT_MESSAGES) {}

  get newestId(): string {
    return this.kept.at(-1)?.message.id ?? NO_MESSAGE_YET
  }

  /** Keeps a message. Returns false when it was kept before. */
  add(message: LiveMessage, receivedAtMs: number): boolean {
    if (this.positions.has(message.id)) return false
    this.positions.set(message.id, this.dropped + this.kept.length)
    this.kept.push({ message, receivedAtMs })
    // Dropping many at a time is cheap for each message.
    if (this.kept.length >= 2 * this.least) this.drop(this.least)
    return true
  }

  /** The messages for a user after the one with this id; null when that one is no longer kept. */
  since(id: string, userId: string): LiveMessage[] | null {
    const position = this.positions.get(id)
    if (position === undefined) return null
    const { receivedAtMs } = this.kept[position - this.dropped]!
    return this.receivedFrom(receivedAtMs - RESUME_OVERLAP_MS, userId).filter(message => message.id !== id)
  }

  /** The messages for a user that a new stream begins with. */
  beforeArrival(nowMs: number, userId: string): LiveMessage[] {
    return this.receivedFrom(nowMs - ARRIVAL_OVERLAP_MS, userId)
  }

  private receivedFrom(earliestMs: number, userId: string): LiveMessage[] {
    let from = this.kept.length
    while (from > 0 && this.kept[from - 1]!.receivedAtMs >= earliestMs) from--
    const messages = this.kept.slice(from).map(({ message }) => message)
    return messages.filter(({ recipients }) => recipients.includes(userId))
  }

  private drop(count: number): void {
    for (const { message } of this.kept.slice(0, count)) this.positions.delete(message.id)
    this.kept = this.kept.slice(count)
    this.dropped += count
  }
}
