import { Module } from '@nestjs/common'
import { BillingModule } from '../billing/billing.module.js'
import { AccountsController } from './accounts.controller.js'
import { ClosingConsumer } from './closing.consumer.js'
import { AccountClosingService } from './closing.service.js'

/** What stands in the way of closing an account, the closing itself, and what is kept about a user. */
@Module({
  imports: [BillingModule],
  controllers: [AccountsController, ClosingConsumer],
  providers: [AccountClosingService],
})
export class AccountsModule {}
