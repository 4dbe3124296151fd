import { Module } from '@nestjs/common'
import { DeadLettersController } from './dead-letters.controller.js'
import { DeadLettersService } from './dead-letters.service.js'

/** The events that handlers of any service failed on, for operators. */
@Module({ controllers: [DeadLettersController], providers: [DeadLettersService] })
export class DeadLettersModule {}
