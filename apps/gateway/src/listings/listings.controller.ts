import { invitationInternalRoutes, invitationRoutes } from '@holdfast/contracts/invitations'
import { listingRoutes } from '@holdfast/contracts/listings'
import type { Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'
import { ListingsService } from './listings.service.js'

const { createListing } = listingRoutes
const { acceptInvitation } = invitationRoutes
const { acceptInvitationAs } = invitationInternalRoutes

@Controller()
export class ListingsController {
  constructor(
    private readonly listings: ListingsService,
    private readonly people: People,
    private readonly calls: ServiceCalls,
  ) {}

  @Route(createListing)
  create({ body }: Parsed<typeof createListing>, ctx: Ctx<typeof createListing>) {
    return this.listings.create(body, ctx)
  }

  /** Adds the user's address as it is at this moment: an invitation may be for one address alone. */
  @Route(acceptInvitation)
  async accept({ params }: Parsed<typeof acceptInvitation>, ctx: Ctx<typeof acceptInvitation>) {
    const user = await this.people.find(ctx.actor.id)
    if (!user) throw new DomainError('UNAUTHENTICATED')
    return this.calls.call('listing-svc', acceptInvitationAs, { body: { token: params.token, user } }, ctx)
  }
}
