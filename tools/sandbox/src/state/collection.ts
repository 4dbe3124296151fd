import type { Change } from './journal.js'

/** Records with work before them may exceed the limit by this much before they, too, are forgotten. */
const HARD_LIMIT_FACTOR = 2

/**
 * Records of one kind by id, oldest first. Records are replaced, never changed in place; whoever changes one puts it.
 * Beyond `limit` the oldest record that may go is forgotten.
 */
export class Collection<T extends { readonly id: string }> {
  private readonly records = new Map<string, T>()
  private readonly dirty = new Set<string>()

  constructor(
    readonly name: string,
    private readonly limit: number,
    /** Says which records may be forgotten; one that still has work before it may not. */
    private readonly mayGo: (record: T) => boolean = () => true,
  ) {}

  get size(): number {
    return this.records.size
  }

  get(id: string): T | undefined {
    return this.records.get(id)
  }

  put(record: T): T {
    const isNew = !this.records.has(record.id)
    this.records.set(record.id, record)
    this.dirty.add(record.id)
    if (isNew && this.records.size > this.limit) this.forgetOldest()
    return record
  }

  delete(id: string): void {
    if (this.records.delete(id)) this.dirty.add(id)
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

  /** Puts what the journal remembers, without marking it as new. */
  restore(id: string, value: T | null): void {
    if (value === null) this.records.delete(id)
    else this.records.set(id, value)
  }

  /** Hands over what changed since the last call. */
  takeChanges(): Change[] {
    const changes = [...this.dirty].map((id): Change => [this.name, id, this.records.get(id) ?? null])
    this.dirty.clear()
    return changes
  }

  *all(): Iterable<Change> {
    for (const [id, record] of this.records) yield [this.name, id, record]
  }

  private forgetOldest(): void {
    const mustShrink = this.records.size > this.limit * HARD_LIMIT_FACTOR
    for (const [id, record] of this.records) {
      if (!mustShrink && !this.mayGo(record)) continue
      this.records.delete(id)
      this.dirty.add(id)
      return
    }
  }
}
