import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { AuthenticatorSecrets } from './authenticator-secrets.js'

const ROWS_PER_DBTX = 500
const MAX_BATCHES = 10_000
const log = loggerOf('authenticator-keys')

/** Wraps the keys of the apps' secrets with the current master key, each time the service starts: a rotation restarts all replicas. */
@Injectable()
export class AuthenticatorKeys implements OnApplicationBootstrap {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly secrets: AuthenticatorSecrets,
  ) {}

  onApplicationBootstrap(): void {
    this.rewrap().then(
      count => count > 0 && log.info({ count }, 'keys were wrapped with the current master key'),
      (error: unknown) => log.error({ err: error }, 'keys could not be wrapped with the current master key'),
    )
  }

  /** @returns how many keys were wrapped again @throws CannotOpen, UnknownMasterKey */
  async rewrap(): Promise<number> {
    let count = 0
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const done = await this.dataSource.transaction(dbTx => this.secrets.rewrapSome(dbTx, ROWS_PER_DBTX))
      if (done === 0) break
      count += done
    }
    return count
  }
}
