import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database.module'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { timersModule } from '@holdfast/timers/timers.module'
import { Module } from '@nestjs/common'
import { AccountsModule } from './accounts/accounts.module.js'
import { DisputeEntity } from './cases/dispute.entity.js'
import { CONNECTIONS } from './connections.js'
import { ConsoleModule } from './console/console.module.js'
import { DisputesModule } from './disputes/disputes.module.js'
import { plan } from './migrations/plan.js'
import { OutagesModule } from './outages/outages.module.js'

/** Disputes over deals. */
@Module({
  imports: [
    databaseModule({ ...plan, connections: CONNECTIONS, entities: [DisputeEntity] }),
    eventsModule(plan),
    timersModule(plan),
    DisputesModule,
    ConsoleModule,
    OutagesModule,
    AccountsModule,
  ],
  providers: [IdempotencyCleanup],
})
export class AppModule {}
