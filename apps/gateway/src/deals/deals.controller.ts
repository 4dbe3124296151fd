import type { Parsed } from '@holdfast/contracts/route'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { DomainError } from '@holdfast/kernel/errors'
import { nextLink } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { DealsService } from './deals.service.js'

const { getTransaction, listTransactions, listTransactionsOfUser, createTransaction } = transactionRoutes

type DealsQuery = Parsed<typeof listTransactions>['query']

@Controller()
export class DealsController {
  constructor(private readonly deals: DealsService) {}

  @Route(listTransactions)
  list({ query }: Parsed<typeof listTransactions>, ctx: Ctx<typeof listTransactions>) {
    return this.page(query, ctx, next => nextLink(listTransactions, { query: next }))
  }

  @Route(listTransactionsOfUser)
  listOfUser({ params, query }: Parsed<typeof listTransactionsOfUser>, ctx: Ctx<typeof listTransactionsOfUser>) {
    if (params.userId !== ctx.actor.id) throw new DomainError('NOT_FOUND')
    return this.page(query, ctx, next => nextLink(listTransactionsOfUser, { params, query: next }))
  }

  @Route(getTransaction)
  get({ params }: Parsed<typeof getTransaction>, ctx: Ctx<typeof getTransaction>) {
    return this.deals.get(params.id, ctx)
  }

  @Route(createTransaction)
  create({ body }: Parsed<typeof createTransaction>, ctx: Ctx<typeof createTransaction>) {
    return this.deals.buy(body, ctx)
  }

  /** One page of deals with the link to the next page. A full page always has a link, although the next may be empty. */
  private async page(query: DealsQuery, ctx: Ctx<typeof listTransactions>, linkTo: (next: DealsQuery) => string) {
    const page = await this.deals.list(query, ctx)
    const last = page.at(-1)
    if (last && page.length === query.limit) ctx.reply.header('link', linkTo({ ...query, before: last.id }))
    return page
  }
}
