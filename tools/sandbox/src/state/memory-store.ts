import type { Change, Store } from './store.js'

/** Stands in for the database in tests: two sandboxes that are given the same one share a memory, as after a restart. */
export class MemoryStore implements Store {
  private readonly records = new Map<string, readonly [collection: string, id: string, json: string]>()

  async load(): Promise<Change[]> {
    return [...this.records.values()].map(([collection, id, json]): Change => [collection, id, JSON.parse(json)])
  }

  async append(changes: readonly Change[]): Promise<void> {
    for (const [collection, id, value] of changes) {
      const key = JSON.stringify([collection, id])
      if (value === null) this.records.delete(key)
      else this.records.set(key, [collection, id, JSON.stringify(value)])
    }
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {}
}
