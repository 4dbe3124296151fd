import { type DisputeCase, type DisputeFile, disputeInternalRoutes, disputeRoutes } from '@holdfast/contracts/disputes'
import { messageInternalRoutes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-routes'
import { DomainError } from '@holdfast/kernel/errors'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { type CallContext, ServiceCalls } from '../services/service-calls.js'

const { getDispute, getDisputeFile } = disputeRoutes
const { getDisputeCaseRecord } = disputeInternalRoutes
const { getTransactionFile } = transactionInternalRoutes
const { listMessagesOfDeal } = messageInternalRoutes

/** Joins the case of a dispute with the profiles of its parties, and for mediators with what the other services know of the deal. */
@Controller()
export class DisputesController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  @Route(getDispute)
  get({ params }: Parsed<typeof getDispute>, ctx: Ctx<typeof getDispute>): Promise<DisputeCase> {
    return this.withPeople(params.id, ctx)
  }

  /** dispute-svc decides who may read the case. A party of the deal gets 404 here, even as an admin: the file is for mediators. */
  @Route(getDisputeFile)
  async getFile({ params }: Parsed<typeof getDisputeFile>, ctx: Ctx<typeof getDisputeFile>): Promise<DisputeFile> {
    const dispute = await this.withPeople(params.id, ctx)
    if (dispute.viewerRole !== 'mediator') throw new DomainError('NOT_FOUND')
    const input = { params: { id: String(dispute.transactionId) } }
    const [transaction, messages] = await Promise.all([
      this.calls.call('escrow-svc', getTransactionFile, input, ctx),
      this.calls.call('messaging-svc', listMessagesOfDeal, input, ctx),
    ])
    return { dispute, transaction, messages }
  }

  private async withPeople(id: number, context: CallContext): Promise<DisputeCase> {
    const input = { params: { id: String(id) } }
    const record = await this.calls.call('dispute-svc', getDisputeCaseRecord, input, context)
    const [buyer, seller] = await Promise.all([this.people.party(record.buyerId), this.people.party(record.sellerId)])
    return { ...record, buyer, seller }
  }
}
