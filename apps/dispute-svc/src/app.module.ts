import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database'
import { timersModule } from '@holdfast/timers/timers.module'
import { type DynamicModule, Module } from '@nestjs/common'
import type { DisputeConfig } from './config.js'
import { DisputeEntity } from './disputes/dispute.entity.js'
import { DisputesConsumer } from './disputes/disputes.consumer.js'
import { DisputesController } from './disputes/disputes.controller.js'
import { DisputesRepository } from './disputes/disputes.repository.js'
import { DisputesService } from './disputes/disputes.service.js'
import { DisputesTimers } from './disputes/disputes.timers.js'
import { EscrowClient } from './disputes/escrow.client.js'
import { plan } from './migrations/plan.js'

/** Disputes: safe before they are fast. A dispute is committed, then the escrow is frozen, then it is open. */
@Module({})
class AppModule {}

export function appModule({ DATABASE_URL: databaseUrl, ESCROW_URL, ACTOR_KEYS }: DisputeConfig): DynamicModule {
  const { service, schema, migrations } = plan
  return {
    module: AppModule,
    imports: [
      databaseModule({ url: databaseUrl, schema, migrations, entities: [DisputeEntity] }),
      eventsModule({ service, schema, databaseUrl }),
      timersModule({ service, databaseUrl }),
    ],
    controllers: [DisputesController, DisputesConsumer],
    providers: [
      { provide: EscrowClient, useFactory: () => new EscrowClient(ESCROW_URL, ACTOR_KEYS) },
      DisputesRepository,
      DisputesService,
      DisputesTimers,
    ],
  }
}
