import { Module } from '@nestjs/common'
import { StuckController } from './stuck.controller.js'
import { StuckService } from './stuck.service.js'

/** What does not go on by itself, for the operator's console. */
@Module({ controllers: [StuckController], providers: [StuckService] })
export class StuckModule {}
