import {
  escrowAdminInternalRoutes as internalRoutes,
  escrowAdminRoutes as routes,
} from '@holdfast/contracts/admin-escrow'
import type { Parsed } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ApprovalsService } from './approvals.service.js'

/** Acts that may need a second admin, and the requests that wait for one. */
@Controller()
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  @Route(routes.forceRefund)
  forceRefund({ params, body }: Parsed<typeof routes.forceRefund>, ctx: Ctx<typeof routes.forceRefund>) {
    const { reason, ...input } = body
    const admin = { id: ctx.actor.id, reason, key: ctx.idempotencyKey }
    return this.approvals.ask('refund.force', { transactionId: params.id, ...input }, admin)
  }

  @Route(routes.sendPayoutAgain)
  sendPayoutAgain({ params, body }: Parsed<typeof routes.sendPayoutAgain>, ctx: Ctx<typeof routes.sendPayoutAgain>) {
    const admin = { id: ctx.actor.id, reason: body.reason, key: ctx.idempotencyKey }
    return this.approvals.ask('payout.send_again', { payoutId: params.id }, admin)
  }

  @Route(routes.adjustLedger)
  adjustLedger({ body }: Parsed<typeof routes.adjustLedger>, ctx: Ctx<typeof routes.adjustLedger>) {
    const { reason, ...input } = body
    return this.approvals.ask('ledger.adjust', input, { id: ctx.actor.id, reason, key: ctx.idempotencyKey })
  }

  @Route(routes.previewAdjustment)
  previewAdjustment(
    { query }: Parsed<typeof routes.previewAdjustment>,
    { actor }: Ctx<typeof routes.previewAdjustment>,
  ) {
    return this.approvals.previewAdjustment(query, actor.id)
  }

  @Route(routes.getApprovalLimit)
  limit() {
    return this.approvals.limit()
  }

  @Route(routes.listApprovals)
  async list({ query }: Parsed<typeof routes.listApprovals>, ctx: Ctx<typeof routes.listApprovals>) {
    const page = await this.approvals.list(query)
    linkFullPage(ctx, routes.listApprovals, { page, limit: query.limit }, last => ({
      query: { ...query, before: last.id },
    }))
    return page
  }

  @Route(internalRoutes.decideRequest)
  decide(
    { params, body }: Parsed<typeof internalRoutes.decideRequest>,
    { actor }: Ctx<typeof internalRoutes.decideRequest>,
  ) {
    assert(actor?.kind === 'user' && actor.role === 'admin', 'the gateway asks on behalf of an admin')
    const { decision, reason, approvers } = body
    return this.approvals.decide(params.id, { decision, approvers }, { id: actor.id, reason })
  }
}
