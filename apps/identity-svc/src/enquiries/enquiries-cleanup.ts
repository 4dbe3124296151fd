import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'

/** As in the index `enquiry_by_end`. */
const ENDED_AT = 'coalesce(answered_at, created_at)'

/** Deletes enquiries that were answered or closed long ago. People without an account write some, whom no closing erases. */
@Injectable()
export class EnquiriesCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource, @Inject(CONFIG) { ENQUIRY_KEPT_DAYS }: IdentityConfig) {
    super(dataSource, 'enquiries', deletionOf('enquiry', ENDED_AT, ENQUIRY_KEPT_DAYS, `state <> 'open'`))
  }
}
