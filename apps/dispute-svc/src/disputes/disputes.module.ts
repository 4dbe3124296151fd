import { Module } from '@nestjs/common'
import { BankDisputesConsumer } from './bank-disputes.consumer.js'
import { BankDisputesService } from './bank-disputes.service.js'
import { DisputesConsumer } from './disputes.consumer.js'
import { DisputesController } from './disputes.controller.js'
import { DisputesRepository } from './disputes.repository.js'
import { DisputesService } from './disputes.service.js'
import { DisputesTimers } from './disputes.timers.js'
import { EscrowClient } from './escrow.client.js'

/** Disputes. A filing is committed first, then escrow-svc freezes the deal, and then the dispute is open. */
@Module({
  controllers: [DisputesController, DisputesConsumer, BankDisputesConsumer],
  providers: [EscrowClient, DisputesRepository, DisputesService, DisputesTimers, BankDisputesService],
})
export class DisputesModule {}
