import type { ListingFacets } from '@holdfast/contracts/listings'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { BROWSE_READS, type BrowseReads } from '../browse-reads.js'
import { estimated, type FacetCount, facetsOf } from './domain/facets.js'
import { COUNTED_AT_MOST, expectedStatement, type FacetsQuery, facetsStatement } from './list-statement.js'

/** Counting reads each listing that matches, so counts are kept for so long. */
const FRESH_MS = 10_000
/** Older counts are answered, too, while they are counted again. So only the first reader of a search waits for its counts. */
const USABLE_MS = 60_000
/** The most searches whose counts are kept. */
const MAX_KEPT = 200

interface Kept {
  /** When the statement began. */
  readonly atMs: number
  readonly counts: Promise<readonly FacetCount[]>
  isBeingRenewed: boolean
}

/** Counts the listings on sale. Requests for the same search share one statement, and its result for a while. */
@Injectable()
export class FacetsReader {
  readonly #kept = new Map<string, Kept>()
  /** Ends with the last statement that was begun. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    @Inject(BROWSE_READS) private readonly browse: BrowseReads,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError AMOUNT_INVALID, which names the parameter */
  async count(query: FacetsQuery): Promise<ListingFacets> {
    return facetsOf(await this.#countsOf(query), query)
  }

  #countsOf({ q, minPrice, maxPrice }: FacetsQuery): Promise<readonly FacetCount[]> {
    const query = { q, minPrice, maxPrice }
    const key = JSON.stringify(query)
    const known = this.#kept.get(key)
    const ageMs = known ? this.#nowMs() - known.atMs : Number.POSITIVE_INFINITY
    if (!known || ageMs >= USABLE_MS) return this.#keep(key, this.#read(query))
    if (ageMs >= FRESH_MS && !known.isBeingRenewed) void this.#renew(key, known, query)
    return known.counts
  }

  /** One search is counted at a time, so that counts take no more than one of the connections for lists. */
  #read(query: FacetsQuery): Promise<readonly FacetCount[]> {
    const counts = this.#last.then(() => this.#readNow(query))
    // Its reader gets the error. The next one begins in any case.
    this.#last = counts.catch(() => undefined)
    return counts
  }

  async #readNow(query: FacetsQuery): Promise<readonly FacetCount[]> {
    const { rows } = await this.browse.query<FacetCount>(facetsStatement(query))
    const counted = rows.reduce((sum, { count }) => sum + count, 0)
    return query.q && counted === COUNTED_AT_MOST ? estimated(rows, await this.#expected(query)) : rows
  }

  async #expected(query: FacetsQuery): Promise<number> {
    const { rows } = await this.browse.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      expectedStatement(query),
    )
    return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows']
  }

  async #renew(key: string, known: Kept, query: FacetsQuery): Promise<void> {
    known.isBeingRenewed = true
    const atMs = this.#nowMs()
    try {
      const counts = await this.#read(query)
      this.#keep(key, Promise.resolve(counts), atMs)
    } catch (error) {
      known.isBeingRenewed = false
      loggerOf('facets').warn({ err: error }, 'listings could not be counted again')
    }
  }

  /** Keeps the counts in place of the oldest ones. Those that could not be read are counted again at the next request. */
  #keep(key: string, counts: Kept['counts'], atMs = this.#nowMs()): Kept['counts'] {
    const kept: Kept = { atMs, counts, isBeingRenewed: false }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    counts.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key))
    return counts
  }

  #nowMs = (): number => this.clock.now().getTime()
}
