import { type DynamicModule, Module } from '@nestjs/common'
import { PassportModule } from '@nestjs/passport'
import type { GatewayConfig } from './config.js'
import { ServiceCalls } from './forwarding/service-calls.js'
import { Upstreams } from './forwarding/upstreams.js'
import { ListingsController } from './listings/listings.controller.js'
import { ListingsService } from './listings/listings.service.js'
import { People } from './people/people.js'
import { Door } from './sessions/door.js'
import { SessionStrategy } from './sessions/session.strategy.js'
import { Sessions } from './sessions/sessions.js'
import { GATEWAY_CONFIG } from './tokens.js'
import { TransactionsController } from './transactions/transactions.controller.js'
import { TransactionsService } from './transactions/transactions.service.js'

@Module({})
export class AppModule {}

/** Everything of the door, around one configuration. */
export function appModule(config: GatewayConfig): DynamicModule {
  return {
    module: AppModule,
    imports: [PassportModule],
    controllers: [ListingsController, TransactionsController],
    providers: [
      { provide: GATEWAY_CONFIG, useValue: config },
      Upstreams,
      ServiceCalls,
      Sessions,
      Door,
      SessionStrategy,
      People,
      TransactionsService,
      ListingsService,
    ],
  }
}
