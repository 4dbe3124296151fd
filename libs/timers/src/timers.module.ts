import type { ServiceName } from '@holdfast/contracts/route'
import { CONFIG, type DatabaseConfig, directUrl } from '@holdfast/service-kit/lifecycle/config'
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common'
import { Timers } from './timers.js'

export interface TimersModuleOptions {
  readonly service: ServiceName
}

/** Starts with the application, after every `onModuleInit` has added its sources; stops before the outbox's relay does. */
class TimersLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(@Inject(Timers) private readonly timers: Timers) {}

  onApplicationBootstrap(): void {
    this.timers.start()
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.timers.stop()
  }
}

@Module({})
class TimersModule {}

/**
 * Provides `Timers` everywhere, on the database of the service's configuration. A provider adds its sources in
 * `onModuleInit`, and calls `notice` after a commit.
 */
export function timersModule({ service }: TimersModuleOptions): DynamicModule {
  return {
    module: TimersModule,
    global: true,
    providers: [
      {
        provide: Timers,
        inject: [CONFIG],
        useFactory: (config: DatabaseConfig) => new Timers({ databaseUrl: directUrl(config), service }),
      },
      TimersLifecycle,
    ],
    exports: [Timers],
  }
}
