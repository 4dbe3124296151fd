import type { DeliveryRecord } from './records.js'

/**
 * An index of the deliveries that are not done, so that neither sending nor forgetting searches the collection. A new
 * delivery is held until it has been kept: the product must not receive an event that a kill would make the sandbox forget.
 */
export class PendingDeliveries {
  private readonly sendable = new Map<string, DeliveryRecord>()
  private readonly held = new Map<string, DeliveryRecord>()
  private readonly perEvent = new Map<string, number>()
  private total = 0

  get size(): number {
    return this.total
  }

  /** Follows a delivery from what it was to what it is; null for before it came and after it is forgotten. */
  readonly follow = (before: DeliveryRecord | null, after: DeliveryRecord | null): void => {
    if (before?.status === 'pending') this.count(before.eventId, -1)
    if (after?.status === 'pending') {
      this.count(after.eventId, 1)
      if (this.sendable.has(after.id)) this.sendable.set(after.id, after)
      else this.held.set(after.id, after)
    } else if (before) {
      this.sendable.delete(before.id)
      this.held.delete(before.id)
    }
  }

  /** The deliveries held now; to be given to `release` once the current changes have been kept. */
  heldIds(): string[] {
    return [...this.held.keys()]
  }

  release(ids: readonly string[]): void {
    for (const id of ids) {
      const record = this.held.get(id)
      // Released by an earlier commit, or forgotten meanwhile.
      if (!record) continue
      this.held.delete(id)
      this.sendable.set(id, record)
    }
  }

  sendableOldestFirst(): IterableIterator<DeliveryRecord> {
    return this.sendable.values()
  }

  /** How many deliveries of an event are not done. */
  ofEvent(eventId: string): number {
    return this.perEvent.get(eventId) ?? 0
  }

  private count(eventId: string, change: number): void {
    this.total += change
    const next = this.ofEvent(eventId) + change
    if (next > 0) this.perEvent.set(eventId, next)
    else this.perEvent.delete(eventId)
  }
}
