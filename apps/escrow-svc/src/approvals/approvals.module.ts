import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { PayoutsModule } from '../payouts/payouts.module.js'
import { AdjustLedger } from './adjust-ledger.js'
import { ApprovalsController } from './approvals.controller.js'
import { ApprovalsService } from './approvals.service.js'
import { ForceRefund } from './force-refund.js'
import { GuardedActs } from './guarded-acts.js'
import { SendPayoutAgain } from './send-payout-again.js'

/** What operators do with money, and the second admin whom it needs above an amount. */
@Module({
  imports: [DealsModule, PayoutsModule],
  controllers: [ApprovalsController],
  providers: [ApprovalsService, GuardedActs, ForceRefund, AdjustLedger, SendPayoutAgain],
})
export class ApprovalsModule {}
