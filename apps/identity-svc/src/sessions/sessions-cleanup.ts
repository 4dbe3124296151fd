import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** Ended sessions are kept this long for inquiries. */
const KEPT_DAYS = 90
/** As in the index `sessions_by_end`. */
const ENDED_AT = 'least(expires_at, revoked_at)'

/** Deletes sessions that ended long ago: they have people's addresses and browsers in them. */
@Injectable()
export class SessionsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, 'sessions', deletionOf('sessions', 'id', `${ENDED_AT} < now() - interval '${KEPT_DAYS} days'`))
  }
}
