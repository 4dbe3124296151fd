import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import { concerned, INVITED_IDS, type ListingRow } from '../listings/listing-row.js'
import { READ_POOL } from '../read-pool.module.js'
import type { PictureUse } from './domain/visibility.js'

const CONCERNED = `l.is_private, l.seller_id, l.counterparty_id, l.created_by, ${INVITED_IDS}`

// A picture that everyone may see needs no buyers. UNION drops equal rows, so a picture that one seller has on a thousand
// listings is a few rows.
const USES = {
  name: 'picture-uses',
  text: `WITH used AS (
    SELECT p.hash, l.id, true AS is_shown, ${CONCERNED}
      FROM listing l CROSS JOIN unnest(l.image_hashes) p(hash)
     WHERE l.image_hashes && $1::text[] AND p.hash = ANY($1::text[])
    UNION ALL
    SELECT r.hash, l.id, false, ${CONCERNED} FROM removed_picture r JOIN listing l ON l.id = r.listing_id
     WHERE r.hash = ANY($1::text[])
  ) SELECT DISTINCT u.hash, u.is_shown, u.is_private, u.seller_id, u.counterparty_id, u.created_by, u.invited_ids,
    b.buyer_id
    FROM used u LEFT JOIN listing_buyer b ON b.listing_id = u.id AND (u.is_private OR NOT u.is_shown)`,
}

type UseRow = Pick<ListingRow, 'is_private' | 'seller_id' | 'counterparty_id' | 'created_by' | 'invited_ids'> & {
  readonly hash: string
  readonly is_shown: boolean
  readonly buyer_id: string | null
}

/** Finds the listings of pictures. Pictures requested while a statement runs share the next one (`batchCalls`). */
@Injectable()
export class PictureUses {
  readonly #find = batchCalls('picture_uses', (hashes: readonly string[]) => this.#findAll(hashes))

  constructor(@Inject(READ_POOL) private readonly pool: pg.Pool) {}

  /** The listings that have or had the picture with this hash, each once for every user who opened a deal on it. */
  find(hash: string): Promise<readonly PictureUse[]> {
    return this.#find(hash)
  }

  async #findAll(hashes: readonly string[]): Promise<PictureUse[][]> {
    const { rows } = await this.pool.query<UseRow>({ ...USES, values: [[...new Set(hashes)]] })
    const usesOf = new Map<string, PictureUse[]>(hashes.map(hash => [hash, []]))
    for (const row of rows) usesOf.get(row.hash)?.push(toUse(row))
    return hashes.map(hash => usesOf.get(hash) ?? [])
  }
}

const toUse = (row: UseRow): PictureUse => ({
  listing: concerned(row),
  isShown: row.is_shown,
  buyerId: row.buyer_id,
})
