import { disputeInternalRoutes as internalRoutes, disputeRoutes as routes } from '@holdfast/contracts/dispute-routes'
import type { Parsed } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import { sendPicture } from '@holdfast/pictures/send-picture'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { callerLeft } from '@holdfast/service-kit/http/caller-left'
import { type Ctx, type RequestContext, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { CasesService, type Sender } from './cases.service.js'
import { EvidenceService } from './evidence.service.js'

const byUser = ({ actor, idempotencyKey }: RequestContext<UserActor>): Sender => ({ user: actor, key: idempotencyKey })

/** The admin on whose behalf the gateway calls. */
function byAdmin({ actor, idempotencyKey }: Pick<RequestContext, 'actor' | 'idempotencyKey'>): Sender {
  assert(actor?.kind === 'user' && actor.role === 'admin', 'the gateway calls on behalf of an admin')
  return { user: actor, key: idempotencyKey }
}

/** The routes of a case: those of its parties, and those of mediators. */
@Controller()
export class CasesController {
  constructor(
    private readonly cases: CasesService,
    private readonly evidence: EvidenceService,
  ) {}

  @Route(routes.listDisputesOfUser)
  list({ params }: Parsed<typeof routes.listDisputesOfUser>, ctx: Ctx<typeof routes.listDisputesOfUser>) {
    return this.cases.list(params.userId, ctx.actor.id)
  }

  @Route(routes.addEvidence)
  addEvidence({ params, body }: Parsed<typeof routes.addEvidence>, ctx: Ctx<typeof routes.addEvidence>) {
    return this.evidence.add(params.id, body, { ...byUser(ctx), left: callerLeft(ctx.reply) })
  }

  @Route(routes.getEvidenceImage)
  async getEvidenceImage({ params }: Parsed<typeof routes.getEvidenceImage>, ctx: Ctx<typeof routes.getEvidenceImage>) {
    return sendPicture(await this.evidence.find(params, ctx.actor), ctx)
  }

  @Route(routes.proposeSettlement)
  propose({ params, body }: Parsed<typeof routes.proposeSettlement>, ctx: Ctx<typeof routes.proposeSettlement>) {
    return this.cases.propose(params.id, body, byUser(ctx))
  }

  @Route(routes.declineSettlement)
  decline({ params, body }: Parsed<typeof routes.declineSettlement>, ctx: Ctx<typeof routes.declineSettlement>) {
    return this.cases.command(params.id, byUser(ctx), { type: 'declineProposal', proposalId: body.proposalId })
  }

  @Route(routes.waiveAppeal)
  waive({ params }: Parsed<typeof routes.waiveAppeal>, ctx: Ctx<typeof routes.waiveAppeal>) {
    return this.cases.command(params.id, byUser(ctx), { type: 'waiveAppeal' })
  }

  @Route(routes.appealRuling)
  appeal({ params, body }: Parsed<typeof routes.appealRuling>, ctx: Ctx<typeof routes.appealRuling>) {
    return this.cases.command(params.id, byUser(ctx), { type: 'appeal', reason: body.reason })
  }

  @Route(routes.shipReturn)
  shipReturn({ params, body }: Parsed<typeof routes.shipReturn>, ctx: Ctx<typeof routes.shipReturn>) {
    const { carrier, ...parcel } = body
    return this.cases.command(params.id, byUser(ctx), { type: 'shipReturn', ...parcel, carrier: carrier || null })
  }

  @Route(routes.confirmReturn)
  confirmReturn({ params }: Parsed<typeof routes.confirmReturn>, ctx: Ctx<typeof routes.confirmReturn>) {
    return this.cases.command(params.id, byUser(ctx), { type: 'confirmReturn' })
  }

  @Route(routes.contestReturn)
  contestReturn({ params, body }: Parsed<typeof routes.contestReturn>, ctx: Ctx<typeof routes.contestReturn>) {
    return this.cases.command(params.id, byUser(ctx), { type: 'contestReturn', reason: body.reason })
  }

  @Route(routes.investigateDispute)
  investigate({ params, body }: Parsed<typeof routes.investigateDispute>, ctx: Ctx<typeof routes.investigateDispute>) {
    const { adminNotes = null, takeOver } = body
    return this.cases.command(params.id, byUser(ctx), { type: 'investigate', adminNotes, takeOver })
  }

  @Route(internalRoutes.recordRuling)
  rule({ params, body }: Parsed<typeof internalRoutes.recordRuling>, ctx: Ctx<typeof internalRoutes.recordRuling>) {
    return this.cases.rule(params.id, body, byAdmin(ctx))
  }

  @Route(internalRoutes.recordRulingDecision)
  decideRuling(
    { params, body }: Parsed<typeof internalRoutes.recordRulingDecision>,
    ctx: Ctx<typeof internalRoutes.recordRulingDecision>,
  ) {
    return this.cases.decideRuling(params.id, body, byAdmin(ctx))
  }

  @Route(internalRoutes.listQueuedDisputeRecords)
  queue(
    { query }: Parsed<typeof internalRoutes.listQueuedDisputeRecords>,
    { actor }: Ctx<typeof internalRoutes.listQueuedDisputeRecords>,
  ) {
    assert(actor?.kind === 'user', 'the gateway asks on behalf of a user')
    return this.cases.queue(query.limit, query.status, actor.id)
  }

  @Route(internalRoutes.getDisputeCaseRecord)
  get(
    { params }: Parsed<typeof internalRoutes.getDisputeCaseRecord>,
    { actor }: Ctx<typeof internalRoutes.getDisputeCaseRecord>,
  ) {
    assert(actor?.kind === 'user', 'the gateway asks on behalf of a user')
    return this.cases.get(params.id, actor)
  }
}
