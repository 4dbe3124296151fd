import { Module } from '@nestjs/common'
import { AccountsController } from './accounts.controller.js'
import { ClosingConsumer } from './closing.consumer.js'
import { AccountClosingService } from './closing.service.js'

/** What stands in the way of closing an account, the closing itself, and what is kept about a user. */
@Module({ controllers: [AccountsController, ClosingConsumer], providers: [AccountClosingService] })
export class AccountsModule {}
