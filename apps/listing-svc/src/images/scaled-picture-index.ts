import type { ImageWidth } from '@holdfast/kernel/images'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import { DataSource } from 'typeorm'
import { READ_POOL } from '../read-pool.module.js'

/** One picture in one width. */
export interface PictureSize {
  /** The hash of the picture as it was uploaded. */
  readonly source: string
  readonly width: ImageWidth
}

const FIND = {
  name: 'scaled-picture-index',
  text: `SELECT k.hash FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS wanted (source_hash, width, position)
    LEFT JOIN scaled_picture k USING (source_hash, width) ORDER BY wanted.position`,
}
// Another version of the encoder may have made other bytes, so the latest object counts.
const ADD = `INSERT INTO scaled_picture (source_hash, width, hash) VALUES ($1, $2, $3)
  ON CONFLICT (source_hash, width) DO UPDATE SET hash = excluded.hash`

/** Knows under which key the storage has a picture in a width. Lookups that arrive together share a statement. */
@Injectable()
export class ScaledPictureIndex {
  readonly #find = batchCalls('scaled_pictures', (sizes: readonly PictureSize[]) => this.#findAll(sizes))

  constructor(
    @Inject(READ_POOL) private readonly pool: pg.Pool,
    private readonly dataSource: DataSource,
  ) {}

  /** The key of the object; null when it was not made yet. */
  find(size: PictureSize): Promise<string | null> {
    return this.#find(size)
  }

  async add({ source, width }: PictureSize, hash: string): Promise<void> {
    await this.dataSource.query(ADD, [source, width, hash])
  }

  async #findAll(sizes: readonly PictureSize[]): Promise<(string | null)[]> {
    const values = [sizes.map(size => size.source), sizes.map(size => size.width)]
    const { rows } = await this.pool.query<{ hash: string | null }>({ ...FIND, values })
    return rows.map(row => row.hash)
  }
}
