import { createTransport } from '@holdfast/events/create-transport'
import { EVENT_TRANSPORT } from '@holdfast/events/transport'
import { ClockWatch } from '@holdfast/service-kit/database/clock-watch'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { Global, Module } from '@nestjs/common'
import type { GatewayConfig } from '../config.js'
import { ClockConnection } from './clock-connection.js'

/** The gateway only reads the log: it publishes nothing, belongs to no consumer group, and deletes nothing. */
const openLog = (config: GatewayConfig) => createTransport(config, { service: 'gateway', cleans: false })

/**
 * What the gateway reads of the database: live events, and the time, with which it compares its clock. `LiveEvents` starts and
 * stops the events, because the gateway also works without them.
 */
@Global()
@Module({
  providers: [
    { provide: EVENT_TRANSPORT, inject: [CONFIG], useFactory: openLog },
    {
      provide: ClockConnection,
      inject: [CONFIG],
      useFactory: ({ DATABASE_URL }: GatewayConfig) => new ClockConnection(DATABASE_URL),
    },
    {
      provide: ClockWatch,
      inject: [ClockConnection, Clock, Health],
      useFactory: (connection: ClockConnection, clock: Clock, health: Health) =>
        new ClockWatch(() => connection.now(), clock, health),
    },
  ],
  exports: [EVENT_TRANSPORT],
})
export class EventLogModule {}
