import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { LedgerService } from './ledger.service.js'

/** The books, for operators. The postings of one deal are shown with the deal. */
@Controller()
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  @Route(transactionRoutes.getTrialBalance)
  trialBalance() {
    return this.ledger.trialBalance()
  }
}
