import { Module } from '@nestjs/common'
import { ConsoleController } from './console.controller.js'
import { ConsoleService } from './console.service.js'
import { DisputeMetrics } from './dispute-metrics.js'

/** What the operator's console asks about disputes. */
@Module({ controllers: [ConsoleController], providers: [ConsoleService, DisputeMetrics] })
export class ConsoleModule {}
