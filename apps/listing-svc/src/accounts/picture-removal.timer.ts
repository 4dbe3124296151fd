import { OBJECT_STORAGE } from '@holdfast/pictures/object-storage.token'
import type { ObjectStorage } from '@holdfast/storage/object-storage'
import type { Deadline, DeadlineSource } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

// A picture that was removed from a listing is still shown by the deals of that listing.
const IS_USED = `SELECT FROM listing WHERE image_hashes @> ARRAY[$1]
  UNION ALL SELECT FROM removed_picture r JOIN listing_buyer b ON b.listing_id = r.listing_id WHERE r.hash = $1 LIMIT 1`

/** Removes pictures of closed accounts from the storage, with their scaled copies, unless a listing has them. */
@Injectable()
export class PictureRemovalTimer implements DeadlineSource, OnModuleInit {
  readonly name = 'picture-removal'
  readonly atOnce = 1

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    private readonly timers: Timers,
  ) {}

  onModuleInit(): void {
    this.timers.add(this)
  }

  upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]> {
    return this.dataSource.query(
      `SELECT hash AS id, due_at AS "dueAt" FROM picture_to_remove WHERE due_at <= now() + $1 * interval '1 millisecond'
       ORDER BY due_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  /** The row goes last, so that a removal that was cut off is repeated. */
  async fire(hash: string): Promise<void> {
    const { manager } = this.dataSource
    const used: unknown[] = await manager.query(IS_USED, [hash])
    if (used.length === 0) {
      const scaled: { hash: string }[] = await manager.query(
        'SELECT hash FROM scaled_picture WHERE source_hash = $1 AND hash <> $1',
        [hash],
      )
      for (const copy of scaled) await this.storage.remove(copy.hash)
      await this.storage.remove(hash)
      await manager.query('DELETE FROM scaled_picture WHERE source_hash = $1', [hash])
    }
    await manager.query('DELETE FROM picture_to_remove WHERE hash = $1', [hash])
  }
}
