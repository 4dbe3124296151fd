import { BatchedJob } from '@holdfast/service-kit/database/batched-job'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { EvidencePictures } from './evidence-pictures.js'

const PERIOD_MS = 60_000

/**
 * Wraps the data keys of the evidence with the current master key after a rotation. It looks again and again, because a replica that does
 * not have the new key as its current one yet may still write.
 */
@Injectable()
export class EvidenceKeysJob extends BatchedJob {
  constructor(
    dataSource: DataSource,
    private readonly pictures: EvidencePictures,
  ) {
    super(dataSource, PERIOD_MS, 'keys of evidence could not be wrapped again')
  }

  run(): Promise<void> {
    return this.all('keys were wrapped with the current master key', (dbTx, limit) =>
      this.pictures.rewrapSome(dbTx, limit),
    )
  }
}
