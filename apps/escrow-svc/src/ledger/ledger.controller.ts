import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { LedgerService } from './ledger.service.js'

/** The trial balance, for operators. `DealsController` shows the postings of one deal. */
@Controller()
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  @Route(transactionRoutes.getTrialBalance)
  trialBalance() {
    return this.ledger.trialBalance()
  }
}
