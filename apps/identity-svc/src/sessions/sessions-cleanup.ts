import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'

/** As in the index `sessions_by_end`. */
const ENDED_AT = 'least(expires_at, revoked_at)'

/** Deletes sessions that ended long ago: they have people's addresses and browsers in them. */
@Injectable()
export class SessionsCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource, @Inject(CONFIG) { SESSION_KEPT_DAYS }: IdentityConfig) {
    super(dataSource, 'sessions', deletionOf('sessions', ENDED_AT, SESSION_KEPT_DAYS))
  }
}
