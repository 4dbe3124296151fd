import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { INBOX_DAYS } from './inbox.js'

/** Deletes inbox rows that are older than any event that could still be delivered again. */
@Injectable()
export class InboxCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, 'inbox rows', deletionOf('inbox', 'at', INBOX_DAYS))
  }
}
