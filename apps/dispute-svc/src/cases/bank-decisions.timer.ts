import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { BankDecisionsRepository } from './bank-decisions.repository.js'
import { EscrowClient } from './escrow.client.js'

/**
 * Asks escrow-svc whether the buyer's bank still decides about a deal whose dispute waits for it. Events say it, too. The question
 * finds what no event says: a chargeback whose event an older release handled, and a deal that an operator has corrected by hand. Without
 * it a dispute could wait for ever.
 */
@Injectable()
export class BankDecisionsTimer implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly decisions: BankDecisionsRepository,
    private readonly escrow: EscrowClient,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: 'bank-decision',
      atOnce: 2,
      upcoming: (aheadMs, limit) => this.decisions.listDue(aheadMs, limit),
      fire: id => this.fire(Number(id)),
    })
  }

  /** Asks about one deal, if that is due. @throws Error when escrow-svc cannot be asked: it is asked again later */
  async fire(transactionId: number): Promise<void> {
    if (!(await this.decisions.takeQuestion(transactionId))) return
    // The answer is at least as new as the time before the question.
    const at = await databaseTime(this.dataSource)
    const { waitsForBank, version } = await this.escrow.settlementTerms(transactionId)
    await this.decisions.followAnswer({ transactionId, waitsForBank, version, at })
  }
}
