import { DomainError } from '@holdfast/kernel/errors'
import type { LiveStream } from './live-stream.js'

/** A browser needs one stream, and a user has a few browsers. */
export const MAX_STREAMS_PER_USER = 12
const MAX_STREAMS = 10_000
const RETRY_AFTER_SECONDS = 30

/** All open streams of this process, by user. */
export class LiveStreams {
  private readonly byUser = new Map<string, Set<LiveStream>>()
  private count = 0

  constructor(private readonly max = MAX_STREAMS) {}

  get size(): number {
    return this.count
  }

  /** @throws DomainError RATE_LIMITED when the user, UNAVAILABLE when this process has too many streams already */
  add(stream: LiveStream): void {
    const streams = this.byUser.get(stream.user.id) ?? new Set()
    if (streams.size >= MAX_STREAMS_PER_USER) {
      throw new DomainError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    if (this.count >= this.max) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    this.byUser.set(stream.user.id, streams.add(stream))
    this.count++
  }

  remove(stream: LiveStream): void {
    const streams = this.byUser.get(stream.user.id)
    if (!streams?.delete(stream)) return
    this.count--
    if (streams.size === 0) this.byUser.delete(stream.user.id)
  }

  of(userId: string): Iterable<LiveStream> {
    return this.byUser.get(userId) ?? []
  }

  *all(): Iterable<LiveStream> {
    for (const streams of this.byUser.values()) yield* streams
  }
}
