import { type DisputeCase, disputeInternalRoutes, disputeRoutes } from '@holdfast/contracts/disputes'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'

const { getDispute } = disputeRoutes

/** Joins the case of a dispute, which dispute-svc answers, with the profiles of its parties. */
@Controller()
export class DisputesController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  @Route(getDispute)
  async get({ params }: Parsed<typeof getDispute>, ctx: Ctx<typeof getDispute>): Promise<DisputeCase> {
    const { getDisputeCaseRecord } = disputeInternalRoutes
    const input = { params: { id: String(params.id) } }
    const record = await this.calls.call('dispute-svc', getDisputeCaseRecord, input, ctx)
    const [buyer, seller] = await Promise.all([this.people.party(record.buyerId), this.people.party(record.sellerId)])
    return { ...record, buyer, seller }
  }
}
