import { PeriodicJob } from '@holdfast/service-kit/lifecycle/periodic-job'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { MessagePictures } from './message-pictures.js'

const PERIOD_MS = 60_000
const ROWS_PER_PASS = 100
/** A message whose pictures were stored so long ago will not be posted any more: its request has ended. */
export const ABANDONED_AFTER_SECONDS = 3_600

const ABANDONED = `
  SELECT message_id AS "messageId", n, object_key AS "objectKey" FROM message_pictures
  WHERE NOT is_posted AND created_at < now() - interval '${ABANDONED_AFTER_SECONDS} seconds' ORDER BY created_at LIMIT ${ROWS_PER_PASS}`
const FORGET = 'DELETE FROM message_pictures WHERE message_id = $1 AND n = $2 AND NOT is_posted'

interface AbandonedRow {
  readonly messageId: string
  readonly n: number
  readonly objectKey: string
}

/**
 * Removes pictures whose message was never posted: the request was repeated and another one answered it, or its process was killed. The
 * row stays until the object is proven to be gone, so that it is tried again while the storage is away. Two replicas may remove the same
 * one, which is harmless.
 */
@Injectable()
export class PictureRemovalJob extends PeriodicJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pictures: MessagePictures,
  ) {
    super(PERIOD_MS, 'pictures of messages that were not posted could not be removed')
  }

  override async run(): Promise<void> {
    const rows: AbandonedRow[] = await this.dataSource.query(ABANDONED)
    for (const { messageId, n, objectKey } of rows) {
      if (this.isStopping) return
      await this.pictures.remove(objectKey)
      await this.dataSource.query(FORGET, [messageId, n])
    }
    if (rows.length > 0)
      this.logger.info({ rows: rows.length }, 'pictures of messages that were not posted were removed')
  }
}
