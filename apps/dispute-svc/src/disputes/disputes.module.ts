import { Module } from '@nestjs/common'
import { CasesModule } from '../cases/cases.module.js'
import { DisputesConsumer } from './disputes.consumer.js'
import { DisputesController } from './disputes.controller.js'
import { DisputesRepository } from './disputes.repository.js'
import { DisputesService } from './disputes.service.js'
import { DisputesTimers } from './disputes.timers.js'
import { ProviderDisputesConsumer } from './provider-disputes.consumer.js'
import { ProviderDisputesService } from './provider-disputes.service.js'
import { RefusedFilingsCleanup } from './refused-filings-cleanup.js'

/** Disputes. A filing is committed first, then escrow-svc freezes the deal, and then the dispute is open. */
@Module({
  imports: [CasesModule],
  controllers: [DisputesController, DisputesConsumer, ProviderDisputesConsumer],
  providers: [DisputesRepository, DisputesService, DisputesTimers, ProviderDisputesService, RefusedFilingsCleanup],
})
export class DisputesModule {}
