import { EmbeddedTransport } from '@holdfast/events/embedded/embedded-transport'
import { EVENT_TRANSPORT, type EventTransport } from '@holdfast/events/transport'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Global, Module } from '@nestjs/common'
import type { GatewayConfig } from '../config.js'

/** The gateway only watches the log: it publishes nothing, belongs to no group, and cleans nothing. */
const openLog = ({ DATABASE_URL }: GatewayConfig): EventTransport =>
  new EmbeddedTransport({ databaseUrl: DATABASE_URL, service: 'gateway', cleans: false })

/** Where live events come from. `LiveEvents` starts and stops it, since the gateway serves without it as well. */
@Global()
@Module({
  providers: [{ provide: EVENT_TRANSPORT, inject: [CONFIG], useFactory: openLog }],
  exports: [EVENT_TRANSPORT],
})
export class EventLogModule {}
