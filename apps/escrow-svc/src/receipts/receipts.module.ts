import { Module } from '@nestjs/common'
import { PaymentsModule } from '../payments/payments.module.js'
import { HistoryService } from './history.service.js'
import { PaymentReceiptsService } from './payment-receipts.service.js'
import { PayoutReceiptsService } from './payout-receipts.service.js'
import { ReceiptsController } from './receipts.controller.js'

/** What a user paid, what came back and what was paid out to them, as a list and as receipts. */
@Module({
  imports: [PaymentsModule],
  controllers: [ReceiptsController],
  providers: [HistoryService, PaymentReceiptsService, PayoutReceiptsService],
})
export class ReceiptsModule {}
