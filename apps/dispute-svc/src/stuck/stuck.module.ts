import { Module } from '@nestjs/common'
import { StuckController } from './stuck.controller.js'
import { StuckService } from './stuck.service.js'

/** What the operator's console asks about disputes. */
@Module({ controllers: [StuckController], providers: [StuckService] })
export class StuckModule {}
