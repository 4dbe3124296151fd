import { receiptInternalRoutes, receiptRoutes } from '@holdfast/contracts/receipts'
import type { Parsed } from '@holdfast/contracts/route'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { userIn } from '../deals/party.js'
import { HistoryService } from './history.service.js'
import { PaymentReceiptsService } from './payment-receipts.service.js'
import { PayoutReceiptsService } from './payout-receipts.service.js'

const { listPayments, listPayouts, getPayoutReceipt } = receiptRoutes
const { getPaymentReceiptRecord } = receiptInternalRoutes

/** The history of a user's money, and its receipts. A full page always has a link, although the next may be empty. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly history: HistoryService,
    private readonly payments: PaymentReceiptsService,
    private readonly payouts: PayoutReceiptsService,
  ) {}

  @Route(listPayments)
  async list({ query }: Parsed<typeof listPayments>, ctx: Ctx<typeof listPayments>) {
    const page = await this.history.list(ctx.actor.id, query)
    linkFullPage(ctx, listPayments, { page, limit: query.limit }, last => ({ query: { ...query, before: last.id } }))
    return page
  }

  @Route(getPaymentReceiptRecord)
  payment({ params }: Parsed<typeof getPaymentReceiptRecord>, ctx: Ctx<typeof getPaymentReceiptRecord>) {
    return this.payments.get(params.paymentId, userIn(ctx))
  }

  @Route(listPayouts)
  async listPayouts({ query }: Parsed<typeof listPayouts>, ctx: Ctx<typeof listPayouts>) {
    const page = await this.payouts.list(ctx.actor.id, query)
    linkFullPage(ctx, listPayouts, { page, limit: query.limit }, last => ({ query: { ...query, before: last.id } }))
    return page
  }

  @Route(getPayoutReceipt)
  payout({ params }: Parsed<typeof getPayoutReceipt>, ctx: Ctx<typeof getPayoutReceipt>) {
    return this.payouts.get(params.payoutId, ctx.actor.id)
  }
}
