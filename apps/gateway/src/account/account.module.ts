import { Module } from '@nestjs/common'
import { ServicesModule } from '../services/services.module.js'
import { AccountController } from './account.controller.js'
import { ClosingService } from './closing.service.js'

/** Closing an account, and the export of a user's data. Both need several services. */
@Module({ imports: [ServicesModule], controllers: [AccountController], providers: [ClosingService] })
export class AccountModule {}
