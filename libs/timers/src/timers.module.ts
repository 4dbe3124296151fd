import type { ServiceName } from '@holdfast/contracts/route'
import { CONFIG, directUrl } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common'
import { Timers } from './timers.js'
import type { TimersConfig } from './timers-config.js'

export interface TimersModuleOptions {
  readonly service: ServiceName
}

/** Starts with the application, after every `onModuleInit` has added its sources; stops before the outbox's relay does. */
class TimersLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Inject(Timers) private readonly timers: Timers,
    @Inject(CONFIG) private readonly config: TimersConfig,
    @Inject(Health) private readonly health: Health,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Without Redis deadlines are a few seconds late, which is no reason to take the service out of use.
    if (this.config.REDIS_URL !== undefined)
      this.health.add({ name: 'redis', kind: 'named', run: async () => this.assertQueueUsable() })
    await this.timers.start()
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.timers.stop()
  }

  private assertQueueUsable(): void {
    if (!this.timers.queueIsUsable) throw new Error('Redis is away, or may evict keys')
  }
}

@Module({})
class TimersModule {}

const redisOf = ({ REDIS_URL: url, NODE_ENV }: TimersConfig) =>
  url === undefined ? undefined : { url, refusesEviction: NODE_ENV === 'production' }

/**
 * Provides `Timers` everywhere, on the service's database and, when its configuration has a REDIS_URL, with the queue in that Redis.
 * In production the service does not start when that Redis may evict keys. A provider adds its sources in
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
        useFactory: (config: TimersConfig) =>
          new Timers({ databaseUrl: directUrl(config), service, redis: redisOf(config) }),
      },
      TimersLifecycle,
    ],
    exports: [Timers],
  }
}
