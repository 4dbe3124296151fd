import { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import { eventAdminRoutes } from '@holdfast/contracts/admin-events'
import { paymentInternalRoutes, paymentRoutes } from '@holdfast/contracts/payments'
import type { Parsed } from '@holdfast/contracts/route'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import { BadSignatures } from '@holdfast/service-kit/auth/bad-signatures'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { signedBody } from '@holdfast/service-kit/http/signed-body'
import { Controller } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'
import { partyIn, userIn } from '../deals/party.js'
import { countedWebhook } from '../provider/webhook-metrics.js'
import { CancellationService } from './cancellation.service.js'
import { CryptoEventsService } from './crypto/crypto-events.service.js'
import { EventsForOperators } from './events-for-operators.js'
import { FundsService } from './funds.service.js'
import { OpenPaymentsService } from './open-payments.service.js'
import { PaymentsService } from './payments.service.js'
import { QuotesService } from './quotes.service.js'
import { RefundsService } from './refunds.service.js'
import { UnhandledEvents } from './unhandled-events.js'

const routes = {
  ...paymentRoutes,
  ...paymentInternalRoutes,
  ...transactionRoutes,
  ...escrowAdminRoutes,
  ...eventAdminRoutes,
}

/** Routes to pay for a deal, to cancel it and to set its status; the provider's webhook, and its events that no code handles. */
@Controller()
export class PaymentsController {
  readonly #badSignatures: BadSignatures

  constructor(
    private readonly quotes: QuotesService,
    private readonly payments: PaymentsService,
    private readonly openPayments: OpenPaymentsService,
    private readonly cancellations: CancellationService,
    private readonly funds: FundsService,
    private readonly refunds: RefundsService,
    private readonly unhandled: UnhandledEvents,
    private readonly forOperators: EventsForOperators,
    private readonly cryptoEvents: CryptoEventsService,
    @InjectDataSource() dataSource: DataSource,
  ) {
    this.#badSignatures = new BadSignatures(dataSource)
  }

  @Route(routes.getQuote)
  quote({ params, query }: Parsed<typeof routes.getQuote>, ctx: Ctx<typeof routes.getQuote>) {
    return this.quotes.quote(params.id, ctx.actor.id, query.method)
  }

  @Route(routes.beginPayment)
  pay({ params, headers, body }: Parsed<typeof routes.beginPayment>, ctx: Ctx<typeof routes.beginPayment>) {
    const { payerEmail, ...payment } = body
    const buyer = { userId: userIn(ctx), key: headers['idempotency-key'], email: payerEmail }
    return this.payments.begin(params.id, buyer, payment)
  }

  @Route(routes.getPayment)
  payment({ params }: Parsed<typeof routes.getPayment>, ctx: Ctx<typeof routes.getPayment>) {
    return this.openPayments.latestOf(params.id, ctx.actor.id)
  }

  @Route(routes.cancelTransaction)
  cancel({ params }: Parsed<typeof routes.cancelTransaction>, ctx: Ctx<typeof routes.cancelTransaction>) {
    return this.cancellations.cancel(params.id, partyIn(ctx))
  }

  @Route(routes.updateTransactionStatus)
  updateStatus(
    { params, body }: Parsed<typeof routes.updateTransactionStatus>,
    ctx: Ctx<typeof routes.updateTransactionStatus>,
  ) {
    return this.cancellations.moveTo(params.id, partyIn(ctx), body.status)
  }

  @Route(routes.listUnfinishedRefunds)
  unfinishedRefunds() {
    return this.refunds.listUnfinished()
  }

  @Route(routes.sendRefundAgain)
  async sendRefundAgain(
    { params, body }: Parsed<typeof routes.sendRefundAgain>,
    ctx: Ctx<typeof routes.sendRefundAgain>,
  ) {
    await this.refunds.sendAgain(params.id, { actorId: ctx.actor.id, reason: body.reason })
    return { id: params.id, status: 'due' as const }
  }

  @Route(routes.listUnhandledEvents)
  unhandledEvents() {
    return this.unhandled.list()
  }

  @Route(routes.listEventsForOperators)
  async eventsForOperators(
    { query }: Parsed<typeof routes.listEventsForOperators>,
    ctx: Ctx<typeof routes.listEventsForOperators>,
  ) {
    const page = await this.forOperators.list(query)
    linkFullPage(ctx, routes.listEventsForOperators, { page, limit: query.limit }, last => ({
      query: { ...query, after: last.id },
    }))
    return page
  }

  @Route(routes.countEventsForOperators)
  async countEventsForOperators() {
    return { count: await this.forOperators.count() }
  }

  @Route(routes.markProviderEventDone)
  async markEventDone(
    { params, body }: Parsed<typeof routes.markProviderEventDone>,
    ctx: Ctx<typeof routes.markProviderEventDone>,
  ) {
    await this.forOperators.markDone(params.id, { actorId: ctx.actor.id, reason: body.reason })
    return { id: params.id }
  }

  @Route(routes.markProviderEventsDone)
  async markEventsDone(
    { body: { why, ids, reason } }: Parsed<typeof routes.markProviderEventsDone>,
    ctx: Ctx<typeof routes.markProviderEventsDone>,
  ) {
    return { marked: await this.forOperators.markSeveralDone(why, ids, { actorId: ctx.actor.id, reason }) }
  }

  @Route(routes.stripeWebhook)
  stripe(_: Parsed<typeof routes.stripeWebhook>, { request, clientIp }: Ctx<typeof routes.stripeWebhook>) {
    const signature = request.headers[SIGNATURE_HEADERS.stripe] as string | undefined
    const handle = () => this.funds.receive(signedBody(request), signature)
    return this.#badSignatures.limit(clientIp, () => countedWebhook('stripe', signature, handle))
  }

  @Route(routes.coinifyWebhook)
  coinify(_: Parsed<typeof routes.coinifyWebhook>, { request, clientIp }: Ctx<typeof routes.coinifyWebhook>) {
    const signature = request.headers[SIGNATURE_HEADERS.coinify] as string | undefined
    const handle = () => this.cryptoEvents.receive(signedBody(request), signature)
    return this.#badSignatures.limit(clientIp, () => countedWebhook('coinify', signature, handle))
  }
}
