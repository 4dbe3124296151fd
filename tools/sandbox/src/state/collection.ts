import type { Change } from './store.js'

export interface CollectionOptions<T> {
  /** Whether a record may be forgotten; one whose work is not done may not. All may, unless given. */
  readonly mayGo?: (record: T) => boolean
  /** Beyond this many records even those are forgotten, the oldest first. Twice the limit, unless given. */
  readonly hardLimit?: number
  /** Called with every change, so that an index can be kept. */
  readonly follow?: (before: T | null, after: T | null) => void
}

/**
 * Records of one kind by id, oldest first. Records are replaced, never changed in place: a caller that changes one puts
 * the new one. Beyond `limit` the oldest record that may go is forgotten.
 */
export class Collection<T extends { readonly id: string }> {
  private readonly records = new Map<string, T>()
  private readonly dirty = new Set<string>()

  constructor(
    readonly name: string,
    private readonly limit: number,
    private readonly options: CollectionOptions<T> = {},
  ) {}

  get size(): number {
    return this.records.size
  }

  get(id: string): T | undefined {
    return this.records.get(id)
  }

  put(record: T): T {
    const isNew = !this.records.has(record.id)
    this.replace(record.id, record)
    this.dirty.add(record.id)
    if (isNew && this.records.size > this.limit) this.forgetOldest()
    return record
  }

  delete(id: string): void {
    if (!this.records.has(id)) return
    this.replace(id, null)
    this.dirty.add(id)
  }

  clear(): void {
    for (const id of [...this.records.keys()]) this.delete(id)
  }

  oldestFirst(): IterableIterator<T> {
    return this.records.values()
  }

  newestFirst(): T[] {
    return [...this.records.values()].reverse()
  }

  /** Puts what the store keeps, without marking it as changed. */
  restore(id: string, value: unknown): void {
    // The store keeps what this class handed over, under the same name.
    this.replace(id, value as T | null)
  }

  /** Hands over what changed since the last call. */
  takeChanges(): Change[] {
    const changes = [...this.dirty].map((id): Change => [this.name, id, this.records.get(id) ?? null])
    this.dirty.clear()
    return changes
  }

  private forgetOldest(): void {
    const mustShrink = this.records.size > (this.options.hardLimit ?? this.limit * 2)
    for (const [id, record] of this.records) {
      if (!mustShrink && this.options.mayGo && !this.options.mayGo(record)) continue
      this.delete(id)
      return
    }
  }

  private replace(id: string, value: T | null): void {
    this.options.follow?.(this.records.get(id) ?? null, value)
    if (value === null) this.records.delete(id)
    else this.records.set(id, value)
  }
}
