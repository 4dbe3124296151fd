import type { ServiceName } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import { CONFIG, type DatabaseConfig, directUrl } from '@holdfast/service-kit/lifecycle/config'
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common'
import { DataSource } from 'typeorm'
import { EventsServer } from './consumer/events-server.js'
import { createTransport, type TransportConfig } from './create-transport.js'
import { TRANSPORT_CONNECTIONS } from './embedded/embedded-transport.js'
import { countOutcome, countPublished, watchLag, watchOutbox } from './event-metrics.js'
import { InboxCleanup } from './inbox/inbox-cleanup.js'
import { takeAppended } from './outbox/outbox.js'
import { OutboxRelay } from './outbox/relay.js'
import { EVENT_TRANSPORT, type EventTransport } from './transport.js'

/** The most connections to the database that the events of a service with an outbox need: those of the transport, and the relay's. */
export const EVENT_CONNECTIONS = TRANSPORT_CONNECTIONS + 1

export interface EventsOptions {
  readonly service: ServiceName
  /** The service's schema with its outbox and inbox; left out for a process that only reads events. */
  readonly schema?: string
}

/**
 * Starts the relay with the application, and wakes it after every TypeORM commit that wrote events. At shutdown, after the
 * last request and after the consumers have closed, it publishes the remaining events and closes the connections.
 */
class EventsLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(EVENT_TRANSPORT) private readonly transport: EventTransport,
    @Optional() @Inject(OutboxRelay) private readonly relay?: OutboxRelay,
    @Optional() @Inject(DataSource) private readonly dataSource?: DataSource,
  ) {}

  onApplicationBootstrap(): void {
    const { relay } = this
    if (!relay) return
    this.dataSource?.subscribers.push({
      afterTransactionCommit: ({ queryRunner }) => {
        // TypeORM also calls this for a released savepoint, which commits nothing.
        if (!queryRunner.isTransactionActive && takeAppended(queryRunner)) relay.wake()
      },
    })
    relay.start()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.relay?.stop()
    await this.transport.stop()
  }
}

/**
 * Everything a service needs for events: the transport, the relay of its outbox, and the `EventsServer` that
 * `bootService` connects so that `@OnEvent` handlers are called. It is a global module. A command that writes outbox rows
 * without TypeORM injects `OutboxRelay` and calls `wake()` after its commit.
 */
export function eventsModule(options: EventsOptions): DynamicModule {
  const { service, schema } = options
  const relay = {
    provide: OutboxRelay,
    inject: [CONFIG, EVENT_TRANSPORT],
    useFactory: (config: DatabaseConfig, transport: EventTransport) => {
      assert(schema !== undefined, 'a relay needs the schema of its outbox')
      const relay = new OutboxRelay({ databaseUrl: directUrl(config), schema, transport, onPublished: countPublished })
      watchOutbox(relay)
      return relay
    },
  }
  return {
    module: EventsModule,
    global: true,
    providers: [
      {
        provide: EVENT_TRANSPORT,
        inject: [CONFIG],
        useFactory: (config: TransportConfig) => startTransport(config, options),
      },
      {
        provide: EventsServer,
        inject: [EVENT_TRANSPORT, { token: DataSource, optional: true }],
        useFactory: (transport: EventTransport, dataSource?: DataSource) =>
          new EventsServer(transport, service, dataSource),
      },
      ...(schema === undefined ? [] : [relay, InboxCleanup]),
      EventsLifecycle,
    ],
    exports: [EVENT_TRANSPORT, EventsServer, ...(schema === undefined ? [] : [OutboxRelay])],
  }
}

@Module({})
class EventsModule {}

async function startTransport(config: TransportConfig, { service, schema }: EventsOptions): Promise<EventTransport> {
  const transport = await createTransport(config, { service, onOutcome: countOutcome, cleans: schema !== undefined })
  await transport.start()
  if (schema !== undefined) watchLag(transport, service)
  return transport
}
