import { Module } from '@nestjs/common'
import { LedgerModule } from '../ledger/ledger.module.js'
import { StuckController } from './stuck.controller.js'
import { StuckService } from './stuck.service.js'
import { StuckMetrics } from './stuck-metrics.js'

/** What does not go on by itself, for the operator's console. */
@Module({ imports: [LedgerModule], controllers: [StuckController], providers: [StuckService, StuckMetrics] })
export class StuckModule {}
