import { PeriodicJob } from '@holdfast/service-kit/lifecycle/periodic-job'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { EvidencePictures } from './evidence-pictures.js'

const PERIOD_MS = 60_000
const ROWS_PER_DBTX = 500

/**
 * Wraps the data keys of the evidence with the current master key after a rotation. It looks again and again, because a replica that does
 * not have the new key as its current one yet may still write.
 */
@Injectable()
export class EvidenceKeysJob extends PeriodicJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pictures: EvidencePictures,
  ) {
    super(PERIOD_MS, 'keys of evidence could not be wrapped again')
  }

  async run(): Promise<void> {
    let rows = 0
    for (let n = ROWS_PER_DBTX; n === ROWS_PER_DBTX && !this.isStopping; rows += n) {
      n = await this.dataSource.transaction(dbTx => this.pictures.rewrapSome(dbTx, ROWS_PER_DBTX))
    }
    if (rows > 0) this.logger.info({ rows }, 'keys were wrapped with the current master key')
  }
}
