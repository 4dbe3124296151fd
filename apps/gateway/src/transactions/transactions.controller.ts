import type { Parsed } from '@holdfast/contracts/route'
import { transactionRoutes } from '@holdfast/contracts/transactions'
import { DomainError } from '@holdfast/kernel/errors'
import { type Ctx, Route } from '@holdfast/service-kit/route'
import { Controller } from '@nestjs/common'
import { publicLink } from './public-link.js'
import { TransactionsService } from './transactions.service.js'

const { getTransaction, listTransactions, listTransactionsOfUser, createTransaction } = transactionRoutes

@Controller()
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Route(listTransactions)
  list(input: Parsed<typeof listTransactions>, ctx: Ctx<typeof listTransactions>) {
    return this.page(input, ctx)
  }

  @Route(listTransactionsOfUser)
  listOfUser({ params, query }: Parsed<typeof listTransactionsOfUser>, ctx: Ctx<typeof listTransactionsOfUser>) {
    if (params.userId !== ctx.actor.id) throw new DomainError('NOT_FOUND')
    return this.page({ query }, ctx)
  }

  @Route(getTransaction)
  get({ params }: Parsed<typeof getTransaction>, ctx: Ctx<typeof getTransaction>) {
    return this.transactions.get(params.id, ctx)
  }

  @Route(createTransaction)
  create({ body }: Parsed<typeof createTransaction>, ctx: Ctx<typeof createTransaction>) {
    return this.transactions.buy(body, ctx)
  }

  private async page({ query }: Pick<Parsed<typeof listTransactions>, 'query'>, ctx: Ctx<typeof listTransactions>) {
    const { answer, next } = await this.transactions.list(query, ctx)
    if (next !== null) ctx.reply.header('link', publicLink(ctx.request.url, next))
    return answer
  }
}
