import type { Parsed } from '@holdfast/contracts/route'
import { transactionInternalRoutes as internal } from '@holdfast/contracts/transaction-internal-routes'
import { transactionRoutes as routes } from '@holdfast/contracts/transaction-routes'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { LedgerService } from '../ledger/ledger.service.js'
import { DealFile } from './deal-file.js'
import { DealQueries } from './deal-queries.js'
import { DealsService } from './deals.service.js'
import { OpeningService } from './opening.service.js'
import { partyIn, userIn } from './party.js'

/** The routes of a deal's parties. */
@Controller()
export class DealsController {
  constructor(
    private readonly deals: DealsService,
    private readonly queries: DealQueries,
    private readonly ledger: LedgerService,
  ) {}

  @Route(routes.getTransactionSummary)
  summary(_: Parsed<typeof routes.getTransactionSummary>, ctx: Ctx<typeof routes.getTransactionSummary>) {
    return this.queries.summary(ctx.actor.id)
  }

  @Route(routes.acceptTransaction)
  accept({ params }: Parsed<typeof routes.acceptTransaction>, ctx: Ctx<typeof routes.acceptTransaction>) {
    return this.deals.accept(params.id, partyIn(ctx))
  }

  @Route(routes.saveTracking)
  saveTracking({ params, body }: Parsed<typeof routes.saveTracking>, ctx: Ctx<typeof routes.saveTracking>) {
    const { carrier, ...parcel } = body
    return this.deals.saveTracking(params.id, partyIn(ctx), { ...parcel, carrier: carrier || null })
  }

  @Route(routes.confirmDelivery)
  confirmDelivery({ params }: Parsed<typeof routes.confirmDelivery>, ctx: Ctx<typeof routes.confirmDelivery>) {
    return this.deals.confirmDelivery(params.id, partyIn(ctx))
  }

  @Route(routes.refundTransaction)
  refund({ params }: Parsed<typeof routes.refundTransaction>, ctx: Ctx<typeof routes.refundTransaction>) {
    return this.deals.refund(params.id, partyIn(ctx))
  }

  @Route(routes.getTimeline)
  timeline({ params }: Parsed<typeof routes.getTimeline>, ctx: Ctx<typeof routes.getTimeline>) {
    return this.queries.timeline(params.id, ctx.actor.id)
  }

  @Route(routes.getLedger)
  async postings({ params }: Parsed<typeof routes.getLedger>, ctx: Ctx<typeof routes.getLedger>) {
    await this.queries.getVisible(params.id, ctx.actor.id)
    return this.ledger.ofDeal(params.id)
  }
}

/** The internal routes of the gateway and dispute-svc. */
@Controller()
export class DealsInternalController {
  constructor(
    private readonly deals: DealsService,
    private readonly opening: OpeningService,
    private readonly queries: DealQueries,
    private readonly file: DealFile,
  ) {}

  @Route(internal.openTransaction)
  async open({ body }: Parsed<typeof internal.openTransaction>, ctx: Ctx<typeof internal.openTransaction>) {
    const openedBy = userIn(ctx)
    const id = await this.opening.open({ ...body, openedBy, key: ctx.idempotencyKey })
    return this.queries.get(id, openedBy)
  }

  @Route(internal.findPurchasedTransaction)
  async findPurchased(
    { body }: Parsed<typeof internal.findPurchasedTransaction>,
    ctx: Ctx<typeof internal.findPurchasedTransaction>,
  ) {
    const openedBy = userIn(ctx)
    const id = await this.opening.findPurchased({ ...body, openedBy, key: ctx.idempotencyKey })
    return this.queries.get(id, openedBy)
  }

  @Route(internal.getTransactionRecord)
  get({ params }: Parsed<typeof internal.getTransactionRecord>, ctx: Ctx<typeof internal.getTransactionRecord>) {
    return this.queries.get(params.id, userIn(ctx))
  }

  @Route(internal.listTransactionRecords)
  list({ query }: Parsed<typeof internal.listTransactionRecords>, ctx: Ctx<typeof internal.listTransactionRecords>) {
    return this.queries.list(userIn(ctx), query)
  }

  @Route(internal.searchTransactionRecords)
  search(
    { body }: Parsed<typeof internal.searchTransactionRecords>,
    ctx: Ctx<typeof internal.searchTransactionRecords>,
  ) {
    return this.queries.list(userIn(ctx), body)
  }

  @Route(internal.listTransactionPartners)
  partners(_: unknown, ctx: Ctx<typeof internal.listTransactionPartners>) {
    return this.queries.partners(userIn(ctx))
  }

  @Route(internal.freezeTransaction)
  freeze({ params, body }: Parsed<typeof internal.freezeTransaction>) {
    return this.deals.freeze(params.id, body.disputeId, body.reporterId)
  }

  @Route(internal.resumeTransaction)
  resume({ params, body }: Parsed<typeof internal.resumeTransaction>) {
    return this.deals.resume(params.id, body)
  }

  @Route(internal.listHeld)
  listHeld({ body }: Parsed<typeof internal.listHeld>) {
    return this.queries.listHeld(body.transactionIds)
  }

  @Route(internal.getTransactionFile)
  readFile({ params }: Parsed<typeof internal.getTransactionFile>) {
    return this.file.read(params.id)
  }

  @Route(internal.getSettlementTerms)
  settlementTerms({ params }: Parsed<typeof internal.getSettlementTerms>) {
    return this.queries.settlementTerms(params.id)
  }

  @Route(internal.settleDispute)
  settle({ params, body }: Parsed<typeof internal.settleDispute>) {
    return this.deals.settle(params.id, body)
  }
}
