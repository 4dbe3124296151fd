import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'

/** Deletes browsers that have not been used for a sign-in for long, also those of users who never sign in again. */
@Injectable()
export class KnownDevicesCleanup extends PeriodicCleanup {
  constructor(@InjectDataSource() dataSource: DataSource, @Inject(CONFIG) { KNOWN_BROWSER_KEPT_DAYS }: IdentityConfig) {
    super(dataSource, 'known browsers', deletionOf('known_devices', 'used_at', KNOWN_BROWSER_KEPT_DAYS))
  }
}
