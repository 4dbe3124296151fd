import type { Listing } from '@holdfast/contracts/listings'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import { BROWSE_READS, type BrowseReads } from '../browse-reads.js'
import { READ_POOL } from '../read-pool.module.js'
import { readable } from './domain/access.js'
import { isOwnList, type ListPosition, type ListQuery, listStatement, positionAfter } from './list-statement.js'
import { concerned, type ListingRow, SELECT_LISTINGS, toListing } from './listing-row.js'

const BY_IDS = { name: 'listings-by-ids', text: `${SELECT_LISTINGS} WHERE l.id = ANY($1::bigint[])` }

/** A page of a list, and the position of the next one; null on the last page. */
export interface ListPage {
  readonly listings: Listing[]
  readonly next: ListPosition | null
}

/**
 * Reads listings. Single listings requested while a statement runs share the next one (`batchCalls`).
 */
@Injectable()
export class ListingsReader {
  readonly #read = batchCalls('listings', (ids: readonly number[]) => this.#readAll(ids))

  constructor(
    @Inject(READ_POOL) private readonly pool: pg.Pool,
    @Inject(BROWSE_READS) private readonly browse: BrowseReads,
  ) {}

  /**
   * A listing that the viewer may see.
   *
   * @throws DomainError LISTING_NOT_FOUND
   */
  async get(id: number, viewerId: string | null): Promise<ListingRow> {
    const row = await this.#read(id)
    readable(row && concerned(row), viewerId)
    return row!
  }

  /** A page of the listings that the viewer may find. Those of others may be some seconds old. */
  async list(query: ListQuery, viewerId: string | null): Promise<ListPage> {
    const reads = isOwnList(query, viewerId) ? this.pool : this.browse
    const { rows } = await reads.query<ListingRow>(listStatement(query, viewerId))
    const page = rows.slice(0, query.limit)
    const next = rows.length > query.limit ? positionAfter(query.sort, page.at(-1)!) : null
    return { listings: page.map(toListing), next }
  }

  async #readAll(ids: readonly number[]): Promise<(ListingRow | null)[]> {
    const { rows } = await this.pool.query<ListingRow>({ ...BY_IDS, values: [[...new Set(ids)]] })
    const byId = new Map(rows.map(row => [Number(row.id), row]))
    return ids.map(id => byId.get(id) ?? null)
  }
}
