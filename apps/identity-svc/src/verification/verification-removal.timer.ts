import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline, DeadlineSource } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { VerificationDocuments } from './verification-documents.js'

/** An upload that has not ended after this time was cut off: its process is gone. */
const ABANDONED_AFTER_SECONDS = 3_600

/** When the documents of a submission must go; null while it waits for its decision. `remove_at` is set when the account was closed. */
const DUE_AT = `least(remove_at, CASE state WHEN 'uploading' THEN submitted_at + ${ABANDONED_AFTER_SECONDS} * interval '1 second'
  WHEN 'submitted' THEN NULL ELSE decided_at + $1 * interval '1 second' END)`
const HAS_DOCUMENTS = `state <> 'submitted' AND wrapped_key IS NOT NULL`

/**
 * Removes the documents of a submission some days after its decision, and those of an upload that was cut off. The row keeps the storage's
 * keys until every object is proven to be gone, so that it is tried again while the storage is away.
 */
@Injectable()
export class VerificationRemovalTimer implements DeadlineSource, OnModuleInit {
  readonly name = 'verification-removal'
  readonly atOnce = 1
  readonly #logger = loggerOf('verification')
  readonly #keptSeconds: number

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly documents: VerificationDocuments,
    private readonly timers: Timers,
    @Inject(CONFIG) { VERIFICATION_KEPT_DAYS, DAY_SECONDS }: IdentityConfig,
  ) {
    this.#keptSeconds = VERIFICATION_KEPT_DAYS * DAY_SECONDS
  }

  onModuleInit(): void {
    this.timers.add(this)
  }

  upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]> {
    return this.dataSource.query(
      `SELECT id, ${DUE_AT} AS "dueAt" FROM verification
       WHERE ${HAS_DOCUMENTS} AND ${DUE_AT} <= now() + $2 * interval '1 millisecond' ORDER BY 2 LIMIT $3`,
      [this.#keptSeconds, aheadMs, limit],
    )
  }

  async fire(id: string): Promise<void> {
    const [row]: { keys: string[] }[] = await this.dataSource.query(
      `SELECT ARRAY[id_front_image, id_back_image, selfie_image] AS keys FROM verification
       WHERE id = $2 AND ${HAS_DOCUMENTS} AND ${DUE_AT} <= now()`,
      [this.#keptSeconds, id],
    )
    if (!row) return
    await this.documents.remove(row.keys)
    await this.dataSource.query(
      `UPDATE verification SET id_front_image = NULL, id_back_image = NULL, selfie_image = NULL, master_key_id = NULL,
         wrapped_key = NULL WHERE id = $1 AND ${HAS_DOCUMENTS}`,
      [id],
    )
    this.#logger.info({ verification: id }, 'the documents of a verification were removed')
  }
}
