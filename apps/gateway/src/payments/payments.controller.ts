import { paymentInternalRoutes, paymentRoutes } from '@holdfast/contracts/payments'
import type { Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'

const { createPayment } = paymentRoutes
const { beginPayment } = paymentInternalRoutes

const UNCONFIRMED =
  'Please confirm your e-mail address first. If money goes back to you, the payment provider may ask you by e-mail for your bank account.'

/** Begins payments. For a payment by bank it adds the buyer's e-mail address, which only identity-svc knows. */
@Controller()
export class PaymentsController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  /** Only a payment by bank needs identity-svc: by card one can pay without it, too. */
  @Route(createPayment)
  async create({ params, headers, body }: Parsed<typeof createPayment>, ctx: Ctx<typeof createPayment>) {
    const payerEmail = body.method === 'bank' ? await this.confirmedEmailOf(ctx.actor.id) : null
    const input = { params: { id: String(params.id) }, headers, body: { ...body, payerEmail } }
    return this.calls.call('escrow-svc', beginPayment, input, ctx)
  }

  /**
   * The address to which the provider writes when it must ask for the bank account of a refund. The person who reads that mail chooses
   * the account, so the address must be the buyer's.
   */
  private async confirmedEmailOf(userId: string): Promise<string> {
    const user = await this.people.find(userId)
    if (!user?.emailConfirmed) throw new DomainError('EMAIL_NOT_CONFIRMED', undefined, UNCONFIRMED)
    return user.email
  }
}
