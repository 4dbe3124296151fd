import { personalDataModule } from '@holdfast/service-kit/personal-data/personal-data.module'
import { Module } from '@nestjs/common'
import { BillingModule } from '../billing/billing.module.js'
import { AccountsController } from './accounts.controller.js'
import { ClosingConsumer } from './closing.consumer.js'
import { AccountClosingService } from './closing.service.js'
import { PARTS } from './personal-data.js'

/** What stands in the way of closing an account, the closing itself, and what is kept about a user. */
@Module({
  imports: [BillingModule, personalDataModule(PARTS)],
  controllers: [AccountsController, ClosingConsumer],
  providers: [AccountClosingService],
})
export class AccountsModule {}
