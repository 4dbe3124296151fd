import type { ListingFacets } from '@holdfast/contracts/listings'
import { DomainError } from '@holdfast/kernel/errors'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
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
/**
 * The most requests that wait for counts, and the most of one viewer. Each keeps one of the 96 connections of the gateway
 * (`MAX_CONNECTIONS_PER_SERVICE`), as do the requests that wait for scaled pictures.
 */
export const MAX_COUNTS_WAITING = 24
export const MAX_COUNTS_WAITING_PER_VIEWER = 6

interface Kept {
  /** When the statement began. */
  readonly atMs: number
  readonly counts: readonly FacetCount[]
  isBeingRenewed: boolean
}

type Search = Pick<FacetsQuery, 'q' | 'minPrice' | 'maxPrice'>

/** Who asks for counts. */
interface CountsViewer {
  /** The user's id, or the address of a visitor. Viewers take turns. */
  readonly viewer: string
  /** Aborted when the caller's connection closes. */
  readonly left: AbortSignal
}

/** Counts the listings on sale. The counts of a search are kept, and answered to all requests for a while. */
@Injectable()
export class FacetsReader {
  readonly #kept = new Map<string, Kept>()
  /** One search is counted at a time, so that counts take no more than one of the connections for lists. */
  readonly #queue = new FairQueue({
    concurrency: 1,
    maxWaiting: MAX_COUNTS_WAITING,
    maxWaitingPerOwner: MAX_COUNTS_WAITING_PER_VIEWER,
  })

  constructor(
    @Inject(BROWSE_READS) private readonly browse: BrowseReads,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError AMOUNT_INVALID, which names the parameter; RATE_LIMITED when too many requests of this viewer wait for counts;
   * UNAVAILABLE when too many wait in all, or the caller has left
   */
  async count(query: FacetsQuery, by: CountsViewer): Promise<ListingFacets> {
    return facetsOf(await this.#countsOf(query, by), query)
  }

  async #countsOf({ q, minPrice, maxPrice }: FacetsQuery, { viewer, left }: CountsViewer): Promise<Kept['counts']> {
    const search = { q, minPrice, maxPrice }
    const key = JSON.stringify(search)
    const known = this.#usable(key)
    if (!known) {
      // Another request may have counted the same search while this one waited.
      return this.#queue.run(viewer, async () => this.#usable(key)?.counts ?? this.#read(key, search), left)
    }
    if (this.#ageMs(known) >= FRESH_MS && !known.isBeingRenewed) void this.#renew(key, known, search, viewer)
    return known.counts
  }

  #usable(key: string): Kept | undefined {
    const known = this.#kept.get(key)
    return known && this.#ageMs(known) < USABLE_MS ? known : undefined
  }

  /** Reads the counts of a search, and keeps them in place of the oldest ones. */
  async #read(key: string, search: Search): Promise<Kept['counts']> {
    const atMs = this.#nowMs()
    const counts = await this.#count(search)
    this.#kept.delete(key)
    this.#kept.set(key, { atMs, counts, isBeingRenewed: false })
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    return counts
  }

  async #count(query: Search): Promise<Kept['counts']> {
    const { rows } = await this.browse.query<FacetCount>(facetsStatement(query))
    const counted = rows.reduce((sum, { count }) => sum + count, 0)
    return query.q && counted === COUNTED_AT_MOST ? estimated(rows, await this.#expected(query)) : rows
  }

  async #expected(query: Search): Promise<number> {
    const { rows } = await this.browse.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      expectedStatement(query),
    )
    return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows']
  }

  async #renew(key: string, known: Kept, search: Search, viewer: string): Promise<void> {
    known.isBeingRenewed = true
    try {
      await this.#queue.run(viewer, () => this.#read(key, search))
    } catch (error) {
      known.isBeingRenewed = false
      if (!(error instanceof DomainError))
        loggerOf('facets').warn({ err: error }, 'listings could not be counted again')
    }
  }

  #ageMs = ({ atMs }: Kept): number => this.#nowMs() - atMs

  #nowMs = (): number => this.clock.now().getTime()
}
