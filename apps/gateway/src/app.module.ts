import { EmbeddedTransport } from '@holdfast/events/embedded/embedded-transport'
import { EVENT_TRANSPORT, type EventTransport } from '@holdfast/events/transport'
import { type DynamicModule, Module } from '@nestjs/common'
import { PassportModule } from '@nestjs/passport'
import type { GatewayConfig } from './config.js'
import { DealsController } from './deals/deals.controller.js'
import { DealsService } from './deals/deals.service.js'
import { DeepReadiness } from './forwarding/readiness.js'
import { ServiceCalls } from './forwarding/service-calls.js'
import { Upstreams } from './forwarding/upstreams.js'
import { ListingsController } from './listings/listings.controller.js'
import { ListingsService } from './listings/listings.service.js'
import { LiveEvents } from './live/live-events.js'
import { People } from './people/people.js'
import { Door } from './sessions/door.js'
import { SessionStrategy } from './sessions/session.strategy.js'
import { Sessions } from './sessions/sessions.js'
import { GATEWAY_CONFIG } from './tokens.js'

@Module({})
export class AppModule {}

/**
 * Everything of the door, around one configuration.
 *
 * @param transport where live events come from; the embedded log when left out
 */
export function appModule(config: GatewayConfig, transport = embeddedLog(config)): DynamicModule {
  return {
    module: AppModule,
    imports: [PassportModule],
    controllers: [ListingsController, DealsController],
    providers: [
      { provide: GATEWAY_CONFIG, useValue: config },
      { provide: EVENT_TRANSPORT, useValue: transport },
      Upstreams,
      DeepReadiness,
      ServiceCalls,
      Sessions,
      Door,
      SessionStrategy,
      People,
      DealsService,
      ListingsService,
      LiveEvents,
    ],
  }
}

/** The door only watches: it publishes nothing, belongs to no group, and cleans nothing. */
const embeddedLog = ({ DATABASE_URL }: GatewayConfig): EventTransport =>
  new EmbeddedTransport({ databaseUrl: DATABASE_URL, service: 'gateway', cleans: false })
