import { DomainError } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { Confirmations } from './confirmations.js'
import { FactorChanges } from './factor-changes.js'
import { FactorCodes } from './factor-codes.js'
import { FactorMails } from './factor-mails.js'
import { FactorsService } from './factors.service.js'

/** Makes new recovery codes. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly confirmations: Confirmations,
    private readonly factors: FactorsService,
    private readonly codes: FactorCodes,
    private readonly mails: FactorMails,
    private readonly changes: FactorChanges,
  ) {}

  /** A new set in place of the old one. @throws DomainError `NOT_FOUND` without a second factor; `CONFIRMATION_REQUIRED`, `RATE_LIMITED` */
  async renew(actor: UserActor): Promise<string[]> {
    await this.changes.count(actor.id)
    return this.dataSource.transaction(async dbTx => {
      await this.factors.lock(dbTx, actor.id)
      await this.confirmations.require(dbTx, actor)
      if ((await this.factors.methodsOf(actor.id, dbTx)).length === 0) throw new DomainError('NOT_FOUND')
      await this.mails.queue(dbTx, actor.id, 'recovery_codes_renewed')
      return this.codes.renewRecoveryCodes(dbTx, actor.id)
    })
  }
}
