import { Module } from '@nestjs/common'
import { CasesModule } from '../cases/cases.module.js'
import { ConsoleController } from './console.controller.js'
import { ConsoleService } from './console.service.js'
import { DisputeMetrics } from './dispute-metrics.js'

/** What the operator's console asks about disputes. */
@Module({ imports: [CasesModule], controllers: [ConsoleController], providers: [ConsoleService, DisputeMetrics] })
export class ConsoleModule {}
