import { createTransport } from '@holdfast/events/create-transport'
import { EVENT_TRANSPORT } from '@holdfast/events/transport'
import { ClockWatch } from '@holdfast/service-kit/database/clock-watch'
import { requireConnections, sharesOfAll } from '@holdfast/service-kit/database/connection-limits'
import { databaseTrouble } from '@holdfast/service-kit/database/database-trouble'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG, directUrl } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Global, Module } from '@nestjs/common'
import type { GatewayConfig } from '../config.js'
import { CONNECTIONS } from '../connections.js'
import { ClockConnection } from './clock-connection.js'

/** The gateway only reads the log: it publishes nothing, belongs to no consumer group, and deletes nothing. */
const openLog = (config: GatewayConfig) => createTransport(config, { service: 'gateway', cleans: false })

const ENOUGH_CONNECTIONS = Symbol('enough connections')

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
      useFactory: (config: GatewayConfig) => new ClockConnection(directUrl(config)),
    },
    {
      provide: ENOUGH_CONNECTIONS,
      inject: [ClockConnection, CONFIG],
      useFactory: async (connection: ClockConnection, config: GatewayConfig) => {
        try {
          await requireConnections(sql => connection.query(sql), sharesOfAll('gateway', CONNECTIONS, config), config)
        } catch (error) {
          if (databaseTrouble(error) !== 'UNAVAILABLE') throw error
          loggerOf('database').warn({ err: error }, 'the limits of connections could not be read')
        }
      },
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
