import type { Parsed } from '@holdfast/contracts/route'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { DomainError } from '@holdfast/kernel/errors'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { DealsService } from './deals.service.js'

const { getTransaction, listTransactions, listTransactionsOfUser, createTransaction } = transactionRoutes

@Controller()
export class DealsController {
  constructor(private readonly deals: DealsService) {}

  @Route(listTransactions)
  async list({ query }: Parsed<typeof listTransactions>, ctx: Ctx<typeof listTransactions>) {
    const page = await this.deals.list(query, ctx)
    linkFullPage(ctx, listTransactions, { page, limit: query.limit }, last => ({
      query: { ...query, before: last.id },
    }))
    return page
  }

  @Route(listTransactionsOfUser)
  async listOfUser({ params, query }: Parsed<typeof listTransactionsOfUser>, ctx: Ctx<typeof listTransactionsOfUser>) {
    if (params.userId !== ctx.actor.id) throw new DomainError('NOT_FOUND')
    const page = await this.deals.list(query, ctx)
    linkFullPage(ctx, listTransactionsOfUser, { page, limit: query.limit }, last => ({
      params,
      query: { ...query, before: last.id },
    }))
    return page
  }

  @Route(getTransaction)
  get({ params }: Parsed<typeof getTransaction>, ctx: Ctx<typeof getTransaction>) {
    return this.deals.get(params.id, ctx)
  }

  @Route(createTransaction)
  create({ body }: Parsed<typeof createTransaction>, ctx: Ctx<typeof createTransaction>) {
    return this.deals.buy(body, ctx)
  }
}
