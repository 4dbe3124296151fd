import { OutboxRelay } from '@holdfast/events/outbox/relay'
import { createPool } from '@holdfast/service-kit/database/pool'
import { CONFIG, type DatabaseConfig, directUrl } from '@holdfast/service-kit/lifecycle/config'
import { Module } from '@nestjs/common'
import { LedgerModule } from '../ledger/ledger.module.js'
import { plan } from '../migrations/plan.js'
import { DealClockTimer } from './deal-clock.timer.js'
import { DealDeadlines } from './deal-deadlines.js'
import { DealFile } from './deal-file.js'
import { DealQueries } from './deal-queries.js'
import { DealsConsumer } from './deals.consumer.js'
import { DealsController, DealsInternalController } from './deals.controller.js'
import { DealsRepository, MONEY_CONNECTIONS } from './deals.repository.js'
import { DealsService } from './deals.service.js'
import { checkTransitions } from './domain/transitions.js'
import { MoneyPool } from './money-pool.js'
import { OpeningService } from './opening.service.js'

const moneyPool = {
  provide: MoneyPool,
  inject: [CONFIG, OutboxRelay],
  useFactory: (config: DatabaseConfig, relay: OutboxRelay) => {
    const pool = createPool(directUrl(config), { schema: plan.schema, max: MONEY_CONNECTIONS, forceGenericPlan: true })
    return new MoneyPool(pool, () => relay.wake())
  },
}

/** Deals and their commands, from opening to release or refund. */
@Module({
  imports: [LedgerModule],
  controllers: [DealsController, DealsInternalController, DealsConsumer],
  providers: [
    DealFile,
    moneyPool,
    DealsRepository,
    DealsService,
    OpeningService,
    DealQueries,
    DealDeadlines,
    DealClockTimer,
  ],
  exports: [DealsRepository, DealsService, DealQueries, DealDeadlines],
})
export class DealsModule {
  /** @throws Error when the table of transitions contradicts itself, so that such a service never starts */
  constructor() {
    checkTransitions()
  }
}
