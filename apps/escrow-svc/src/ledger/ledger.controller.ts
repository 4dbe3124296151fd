import { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import type { Parsed } from '@holdfast/contracts/route'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { nextLink } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { LedgerService } from './ledger.service.js'

const routes = { ...transactionRoutes, ...escrowAdminRoutes }

/** The trial balance and the statements of accounts, for operators. `DealsController` shows the postings of one deal. */
@Controller()
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  @Route(routes.getTrialBalance)
  trialBalance() {
    return this.ledger.trialBalance()
  }

  @Route(routes.listAccounts)
  accounts({ query }: Parsed<typeof routes.listAccounts>) {
    return this.ledger.accounts(query.q)
  }

  @Route(routes.getStatement)
  async statement({ params, query }: Parsed<typeof routes.getStatement>, ctx: Ctx<typeof routes.getStatement>) {
    const page = await this.ledger.statement(params.account, query)
    const last = page.at(-1)
    if (last && last.position > 1)
      ctx.reply.header('link', nextLink(routes.getStatement, { params, query: { ...query, before: last.position } }))
    return page
  }
}
