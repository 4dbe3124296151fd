import { EmbeddedTransport } from '@holdfast/events/embedded/embedded-transport'
import { EVENT_TRANSPORT, type EventTransport } from '@holdfast/events/transport'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Global, Module } from '@nestjs/common'
import type { GatewayConfig } from '../config.js'

/** The gateway only reads the log: it publishes nothing, belongs to no consumer group, and deletes nothing. */
const openLog = ({ DATABASE_URL }: GatewayConfig): EventTransport =>
  new EmbeddedTransport({ databaseUrl: DATABASE_URL, service: 'gateway', cleans: false })

/** The source of live events. `LiveEvents` starts and stops it, because the gateway also works without it. */
@Global()
@Module({
  providers: [{ provide: EVENT_TRANSPORT, inject: [CONFIG], useFactory: openLog }],
  exports: [EVENT_TRANSPORT],
})
export class EventLogModule {}
