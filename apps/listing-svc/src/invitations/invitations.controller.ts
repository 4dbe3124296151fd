import { invitationInternalRoutes, invitationRoutes } from '@holdfast/contracts/invitations'
import type { Parsed } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { AcceptanceService } from './acceptance.service.js'
import { InvitationsService } from './invitations.service.js'

const { createInvitation, listInvitations, resendInvitation, revokeInvitation, getInvitation } = invitationRoutes
const { acceptInvitationAs } = invitationInternalRoutes

@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: AcceptanceService,
  ) {}

  @Route(createInvitation)
  create({ params, body }: Parsed<typeof createInvitation>, ctx: Ctx<typeof createInvitation>) {
    return this.invitations.create(params.id, body, ctx.actor.id)
  }

  @Route(listInvitations)
  list({ params }: Parsed<typeof listInvitations>, ctx: Ctx<typeof listInvitations>) {
    return this.invitations.list(params.id, ctx.actor.id)
  }

  @Route(resendInvitation)
  resend({ params }: Parsed<typeof resendInvitation>, ctx: Ctx<typeof resendInvitation>) {
    return this.invitations.resend(params.id, params.invitationId, ctx.actor.id)
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
