import type { Parsed } from '@holdfast/contracts/route'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { DomainError } from '@holdfast/kernel/errors'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { DealsService } from './deals.service.js'
import { nextPageLink } from './next-page.js'

const { getTransaction, listTransactions, listTransactionsOfUser, createTransaction } = transactionRoutes

@Controller()
export class DealsController {
  constructor(private readonly deals: DealsService) {}

  @Route(listTransactions)
  list({ query }: Parsed<typeof listTransactions>, ctx: Ctx<typeof listTransactions>) {
    return this.page(query, ctx)
  }

  @Route(listTransactionsOfUser)
  listOfUser({ params, query }: Parsed<typeof listTransactionsOfUser>, ctx: Ctx<typeof listTransactionsOfUser>) {
    if (params.userId !== ctx.actor.id) throw new DomainError('NOT_FOUND')
    return this.page(query, ctx)
  }

  @Route(getTransaction)
  get({ params }: Parsed<typeof getTransaction>, ctx: Ctx<typeof getTransaction>) {
    return this.deals.get(params.id, ctx)
  }

  @Route(createTransaction)
  create({ body }: Parsed<typeof createTransaction>, ctx: Ctx<typeof createTransaction>) {
    return this.deals.buy(body, ctx)
  }

  private async page(query: Parsed<typeof listTransactions>['query'], ctx: Ctx<typeof listTransactions>) {
    const page = await this.deals.list(query, ctx)
    const link = nextPageLink(ctx.request.url, query.limit, page)
    if (link !== null) ctx.reply.header('link', link)
    return page
  }
}
