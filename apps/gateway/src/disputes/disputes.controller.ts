import { identityAdminInternalRoutes } from '@holdfast/contracts/admin-users'
import { disputeInternalRoutes, disputeRoutes } from '@holdfast/contracts/dispute-routes'
import type {
  DisputeCase,
  DisputeCaseRecord,
  DisputeFile,
  QueuedDispute,
  QueuedDisputeRecord,
} from '@holdfast/contracts/disputes'
import { type Message, mediatorChatRoutes, messageInternalRoutes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-internal-routes'
import { DomainError } from '@holdfast/kernel/errors'
import { refusalOfRead } from '@holdfast/service-kit/http/refusal'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { type CallContext, ServiceCalls } from '../services/service-calls.js'

const { decideRuling, getDispute, getDisputeFile, listDisputeQueue, ruleDispute } = disputeRoutes
const { getDisputeCaseRecord, listQueuedDisputeRecords, recordRuling, recordRulingDecision } = disputeInternalRoutes
const { getTransactionFile, listHeld } = transactionInternalRoutes
const { listMessagesOfDeal, getMessageImageOfDeal } = messageInternalRoutes
const { getDisputeMessageImage } = mediatorChatRoutes

/** The queue is shown without what the deals hold when escrow-svc has not answered after this time. */
const HELD_CONTEXT = { timeoutMs: 2_000 }

/** Joins disputes with the profiles of their parties, and a case for mediators with what the other services know of the deal. */
@Controller()
export class DisputesController {
  private readonly log = loggerOf('disputes')

  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  @Route(getDispute)
  get({ params }: Parsed<typeof getDispute>, ctx: Ctx<typeof getDispute>): Promise<DisputeCase> {
    return this.getCase(params.id, ctx)
  }

  /** dispute-svc decides who may read the case. A party of the deal gets 404 here, even as an admin: the file is for mediators. */
  @Route(getDisputeFile)
  async getFile({ params }: Parsed<typeof getDisputeFile>, ctx: Ctx<typeof getDisputeFile>): Promise<DisputeFile> {
    const dispute = await this.getCaseForMediator(params.id, ctx)
    const input = { params: { id: String(dispute.transactionId) } }
    const [transaction, messages] = await Promise.all([
      this.calls.call('escrow-svc', getTransactionFile, input, ctx),
      this.calls.call('messaging-svc', listMessagesOfDeal, input, ctx),
    ])
    return { dispute, transaction, messages: messages.map(message => forMediator(message, params.id)) }
  }

  /** For the same readers as the file. No browser or proxy keeps it. */
  @Route(getDisputeMessageImage)
  async getMessageImage(
    { params }: Parsed<typeof getDisputeMessageImage>,
    ctx: Ctx<typeof getDisputeMessageImage>,
  ): Promise<void> {
    const { transactionId } = await this.getCaseForMediator(params.id, ctx)
    const input = { params: { ...params, id: String(transactionId) } }
    const { jpeg } = await this.calls.call('messaging-svc', getMessageImageOfDeal, input, ctx)
    ctx.reply
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type('image/jpeg')
      .send(Buffer.from(jpeg, 'base64'))
  }

  /** identity-svc knows which admins were appointed long enough ago, and dispute-svc who has ruled on the case before. */
  @Route(ruleDispute)
  async rule({ params, headers, body }: Parsed<typeof ruleDispute>, ctx: Ctx<typeof ruleDispute>) {
    const input = { params: { id: String(params.id) }, headers, body: { ...body, approvers: await this.approvers() } }
    return this.calls.call('dispute-svc', recordRuling, input, ctx)
  }

  @Route(decideRuling)
  async decideRuling({ params, body }: Parsed<typeof decideRuling>, ctx: Ctx<typeof decideRuling>) {
    const input = { params: { id: String(params.id) }, body: { ...body, approvers: await this.approvers() } }
    return this.calls.call('dispute-svc', recordRulingDecision, input, ctx)
  }

  private async approvers(): Promise<string[]> {
    return (await this.calls.call('identity-svc', identityAdminInternalRoutes.listApprovers, {})).userIds
  }

  @Route(listDisputeQueue)
  async queue({ query }: Parsed<typeof listDisputeQueue>, ctx: Ctx<typeof listDisputeQueue>): Promise<QueuedDispute[]> {
    const records = await this.calls.call('dispute-svc', listQueuedDisputeRecords, { query }, ctx)
    const held = await this.heldOf(records)
    return Promise.all(
      records.map(async record => ({
        ...(await this.withPeople(record)),
        held: held.get(record.transactionId) ?? null,
      })),
    )
  }

  /** What each disputed deal holds, in one call. While escrow-svc does not answer, the queue is shown without it. */
  private async heldOf(records: readonly QueuedDisputeRecord[]): Promise<ReadonlyMap<number, string>> {
    if (records.length === 0) return new Map()
    const transactionIds = [...new Set(records.map(({ transactionId }) => transactionId))]
    try {
      const deals = await this.calls.call('escrow-svc', listHeld, { body: { transactionIds } }, HELD_CONTEXT)
      return new Map(deals.map(({ id, held }) => [id, held]))
    } catch (error) {
      if (refusalOfRead(error).code !== 'UNAVAILABLE') throw error
      this.log.warn({ err: error }, 'the queue is shown without what the deals hold')
      return new Map()
    }
  }

  private async getCase(id: number, context: CallContext): Promise<DisputeCase> {
    const input = { params: { id: String(id) } }
    return this.withPeople(await this.calls.call('dispute-svc', getDisputeCaseRecord, input, context))
  }

  private async getCaseForMediator(id: number, context: CallContext): Promise<DisputeCase> {
    const dispute = await this.getCase(id, context)
    if (dispute.viewerRole !== 'mediator') throw new DomainError('NOT_FOUND')
    return dispute
  }

  private async withPeople<R extends Pick<DisputeCaseRecord, 'buyerId' | 'sellerId' | 'mediatorId'>>(record: R) {
    const { buyerId, sellerId, mediatorId } = record
    const [buyer, seller, mediator] = await Promise.all([
      this.people.party(buyerId),
      this.people.party(sellerId),
      mediatorId === null ? null : this.people.party(mediatorId),
    ])
    return { ...record, buyer, seller, mediator }
  }
}

/** A message whose pictures are read by the mediator's address. A replica of the release before answers without `images`. */
const forMediator = (message: Message, disputeId: number): Message => ({
  ...message,
  images: (message.images ?? []).map((_, index) => ({
    url: `/api/admin/disputes/${disputeId}/messages/${message.id}/images/${index}`,
  })),
})
