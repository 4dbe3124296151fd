import { Module } from '@nestjs/common'
import { CredentialsModule } from '../credentials/credentials.module.js'
import { PayoutAccountsController } from './payout-accounts.controller.js'
import { PayoutAccountsService } from './payout-accounts.service.js'

/** The mails about changed payout accounts, and the links in them. The accounts themselves are escrow-svc's. */
@Module({
  imports: [CredentialsModule],
  controllers: [PayoutAccountsController],
  providers: [PayoutAccountsService],
})
export class PayoutAccountsModule {}
