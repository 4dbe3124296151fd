import { invitationInternalRoutes, invitationRoutes } from '@holdfast/contracts/invitations'
import type { Parsed } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { AcceptanceService } from './acceptance.service.js'
import { InvitationsService } from './invitations.service.js'

const { listInvitations, revokeInvitation, getInvitation } = invitationRoutes
const { createInvitationAs, resendInvitationAs, acceptInvitationAs } = invitationInternalRoutes

@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: AcceptanceService,
  ) {}

  @Route(createInvitationAs)
  create({ params, body }: Parsed<typeof createInvitationAs>, ctx: Ctx<typeof createInvitationAs>) {
    const owner = { id: requireUser(ctx.actor).id, isConfirmed: body.ownerConfirmed, isMailed: body.isMailed }
    return this.invitations.create(params.id, body.invitation, owner, ctx.idempotencyKey)
  }

  @Route(listInvitations)
  list({ params }: Parsed<typeof listInvitations>, ctx: Ctx<typeof listInvitations>) {
    return this.invitations.list(params.id, ctx.actor.id)
  }

  @Route(resendInvitationAs)
  resend({ params, body }: Parsed<typeof resendInvitationAs>, ctx: Ctx<typeof resendInvitationAs>) {
    const owner = { id: requireUser(ctx.actor).id, isConfirmed: body.ownerConfirmed, isMailed: body.isMailed }
    return this.invitations.resend(params.id, params.invitationId, owner)
  }

  @Route(revokeInvitation)
  revoke({ params }: Parsed<typeof revokeInvitation>, ctx: Ctx<typeof revokeInvitation>) {
    return this.invitations.revoke(params.id, params.invitationId, ctx.actor.id)
  }

  @Route(getInvitation)
  get({ params }: Parsed<typeof getInvitation>, ctx: Ctx<typeof getInvitation>) {
    return this.acceptance.get(params.token, ctx.actor?.id ?? null)
  }

  @Route(acceptInvitationAs)
  async accept({ body }: Parsed<typeof acceptInvitationAs>, ctx: Ctx<typeof acceptInvitationAs>) {
    assert(ctx.actor?.kind === 'user' && ctx.actor.id === body.user.id, 'the gateway sends the signed-in user')
    return { listingId: await this.acceptance.accept(body.token, body.user) }
  }
}
