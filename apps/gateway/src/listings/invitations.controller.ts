import { invitationInternalRoutes, invitationRoutes } from '@holdfast/contracts/invitations'
import type { Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'

const { createInvitation, resendInvitation, acceptInvitation } = invitationRoutes
const { createInvitationAs, resendInvitationAs, acceptInvitationAs } = invitationInternalRoutes

/** Adds to requests about invitations who the user is at this moment, as identity-svc knows them. */
@Controller()
export class InvitationsController {
  constructor(
    private readonly people: People,
    private readonly calls: ServiceCalls,
  ) {}

  /** An invitation that is not mailed needs no confirmed address, so it works without identity-svc, too. */
  @Route(createInvitation)
  async create({ params, body }: Parsed<typeof createInvitation>, ctx: Ctx<typeof createInvitation>) {
    const ownerConfirmed = !body.inviteeEmail || (await this.people.hasConfirmed(ctx.actor.id))
    const isMailed = !body.inviteeEmail || (await this.people.mayMail(ctx.actor.id, body.inviteeEmail))
    const input = { params: { id: String(params.id) }, body: { invitation: body, ownerConfirmed, isMailed } }
    return this.calls.call('listing-svc', createInvitationAs, input, ctx)
  }

  @Route(resendInvitation)
  async resend({ params }: Parsed<typeof resendInvitation>, ctx: Ctx<typeof resendInvitation>) {
    const ownerConfirmed = await this.people.hasConfirmed(ctx.actor.id)
    const id = String(params.id)
    const sent = await this.calls.call('listing-svc', invitationRoutes.listInvitations, { params: { id } }, ctx)
    const email = sent.find(each => each.id === params.invitationId)?.inviteeEmail
    const isMailed = !email || (await this.people.mayMail(ctx.actor.id, email))
    const input = { params: { ...params, id }, body: { ownerConfirmed, isMailed } }
    return this.calls.call('listing-svc', resendInvitationAs, input, ctx)
  }

  /** An invitation may be for one address alone, so the user's present one is sent. */
  @Route(acceptInvitation)
  async accept({ params }: Parsed<typeof acceptInvitation>, ctx: Ctx<typeof acceptInvitation>) {
    const user = await this.people.find(ctx.actor.id)
    if (!user) throw new DomainError('UNAUTHENTICATED')
    return this.calls.call('listing-svc', acceptInvitationAs, { body: { token: params.token, user } }, ctx)
  }
}
