import { paymentRoutes as routes } from '@holdfast/contracts/payments'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { ParcelsService } from '../tracking/parcels.service.js'
import { FundsService } from './funds.service.js'
import { PaymentsService } from './payments.service.js'
import { QuotesService } from './quotes.service.js'

/** Paying, and what the provider and the carrier call us with. */
@Controller()
export class PaymentsController {
  constructor(
    private readonly quotes: QuotesService,
    private readonly payments: PaymentsService,
    private readonly funds: FundsService,
    private readonly parcels: ParcelsService,
  ) {}

  @Route(routes.getQuote)
  quote({ params, query }: Parsed<typeof routes.getQuote>, ctx: Ctx<typeof routes.getQuote>) {
    return this.quotes.quote(params.id, ctx.actor.id, query.method)
  }

  @Route(routes.createPayment)
  pay({ params, headers, body }: Parsed<typeof routes.createPayment>, ctx: Ctx<typeof routes.createPayment>) {
    return this.payments.begin(params.id, { userId: ctx.actor.id, key: headers['idempotency-key'] }, body)
  }

  @Route(routes.stripeWebhook)
  async stripe(_: Parsed<typeof routes.stripeWebhook>, { request }: Ctx<typeof routes.stripeWebhook>) {
    await this.funds.receive(bytesOf(request), request.headers['stripe-signature'] as string | undefined)
    return { received: true }
  }

  @Route(routes.carrierWebhook)
  async carrier(_: Parsed<typeof routes.carrierWebhook>, { request }: Ctx<typeof routes.carrierWebhook>) {
    await this.parcels.receive(bytesOf(request), request.headers['x-hmac-signature'] as string | undefined)
    return { received: true }
  }
}

/** The bytes that were signed. A call without any has no body at all, and is refused like every other forgery. */
const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
