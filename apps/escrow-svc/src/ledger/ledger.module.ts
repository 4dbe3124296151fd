import { Module } from '@nestjs/common'
import { BooksCheckService } from './books-check.service.js'
import { LedgerController } from './ledger.controller.js'
import { LedgerService } from './ledger.service.js'
import { LedgerTotals } from './ledger-totals.js'

/** Reads of the ledger. The commands of deals and payments write it. */
@Module({
  controllers: [LedgerController],
  providers: [LedgerService, LedgerTotals, BooksCheckService],
  exports: [LedgerService, LedgerTotals],
})
export class LedgerModule {}
