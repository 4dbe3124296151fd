import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Drain } from '@holdfast/service-kit/lifecycle/drain'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { Global, type INestApplicationContext, Injectable, Module, type OnModuleInit } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { DeadlineSource } from '../src/deadline.js'
import { Timers } from '../src/timers.js'
import { timersModule } from '../src/timers.module.js'
import type { TimersConfig } from '../src/timers-config.js'

/** An application with the timers module and one source of deadlines, as a service has it. */
export async function startApplication(config: TimersConfig, source: DeadlineSource): Promise<INestApplicationContext> {
  @Injectable()
  class Sources implements OnModuleInit {
    constructor(private readonly timers: Timers) {}
    onModuleInit(): void {
      this.timers.add(source)
    }
  }
  const health = new Health(new Drain())
  const kit = [
    { provide: CONFIG, useValue: config },
    { provide: Health, useValue: health },
  ]
  @Global()
  @Module({ providers: kit, exports: [CONFIG, Health] })
  class KitModule {}
  @Module({ imports: [KitModule, timersModule({ service: 'escrow-svc' })], providers: [Sources] })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false })
  health.started()
  return app
}
