import type { ListingFacets } from '@holdfast/contracts/listings'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import { READ_POOL } from '../read-pool.module.js'
import { type FacetCount, facetsOf } from './domain/facets.js'
import { type FacetsQuery, facetsStatement } from './list-statement.js'

/** Counting reads an entry of an index for each listing, so counts are kept for so long. */
const FRESH_MS = 10_000
/** The most searches whose counts are kept. */
const MAX_KEPT = 200

interface Kept {
  readonly until: number
  readonly counts: Promise<readonly FacetCount[]>
}

/** Counts the listings on sale. Requests for the same search share one statement, and its result for a few seconds. */
@Injectable()
export class FacetsReader {
  readonly #kept = new Map<string, Kept>()

  constructor(
    @Inject(READ_POOL) private readonly pool: pg.Pool,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError AMOUNT_INVALID, which names the parameter */
  async count(query: FacetsQuery): Promise<ListingFacets> {
    return facetsOf(await this.#countsOf(query), query)
  }

  #countsOf(query: FacetsQuery): Promise<readonly FacetCount[]> {
    const statement = facetsStatement(query)
    const key = JSON.stringify(statement, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    const now = this.clock.now().getTime()
    const known = this.#kept.get(key)
    if (known && now < known.until) return known.counts
    const counts = this.pool.query<FacetCount>(statement).then(({ rows }) => rows)
    this.#keep(key, { until: now + FRESH_MS, counts })
    return counts
  }

  /** Keeps the counts in place of the oldest ones. Those that could not be read are counted again at the next request. */
  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    kept.counts.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key))
  }
}
