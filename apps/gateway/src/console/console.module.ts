import { Module } from '@nestjs/common'
import { ServicesModule } from '../services/services.module.js'
import { ConsoleController } from './console.controller.js'
import { ConsoleService } from './console.service.js'

/** The pages of the operator's console that several services answer together. */
@Module({ imports: [ServicesModule], controllers: [ConsoleController], providers: [ConsoleService] })
export class ConsoleModule {}
