import {
  identityAdminInternalRoutes as internalRoutes,
  identityAdminRoutes as routes,
} from '@holdfast/contracts/admin-users'
import type { Parsed } from '@holdfast/contracts/route'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { AdminUsersService } from './admin-users.service.js'

@Controller()
export class AdminUsersController {
  constructor(private readonly users: AdminUsersService) {}

  @Route(routes.listUsers)
  async list({ query }: Parsed<typeof routes.listUsers>, ctx: Ctx<typeof routes.listUsers>) {
    const page = await this.users.list(query)
    linkFullPage(ctx, routes.listUsers, { page, limit: query.limit }, last => ({
      query: { ...query, before: last.id },
    }))
    return page
  }

  @Route(routes.getUser)
  get({ params }: Parsed<typeof routes.getUser>) {
    return this.users.get(params.userId)
  }

  @Route(routes.changeUserRole)
  changeRole({ params, body }: Parsed<typeof routes.changeUserRole>, ctx: Ctx<typeof routes.changeUserRole>) {
    return this.users.changeRole(params.userId, body.role, { actorId: ctx.actor.id, reason: body.reason })
  }

  @Route(routes.suspendUser)
  suspend({ params, body }: Parsed<typeof routes.suspendUser>, ctx: Ctx<typeof routes.suspendUser>) {
    return this.users.suspend(params.userId, body.isSuspended, { actorId: ctx.actor.id, reason: body.reason })
  }

  @Route(routes.decideVerification)
  decideVerification(
    { params, body }: Parsed<typeof routes.decideVerification>,
    ctx: Ctx<typeof routes.decideVerification>,
  ) {
    const admin = { actorId: ctx.actor.id, reason: body.reason }
    return this.users.decideVerification(params.userId, body, admin)
  }

  @Route(routes.listNames)
  listNames({ query }: Parsed<typeof routes.listNames>) {
    return this.users.namesOf(query.ids.split(','))
  }

  @Route(internalRoutes.listApprovers)
  async listApprovers() {
    return { userIds: await this.users.listApprovers() }
  }

  @Route(routes.endUserSessions)
  endSessions({ params, body }: Parsed<typeof routes.endUserSessions>, ctx: Ctx<typeof routes.endUserSessions>) {
    return this.users.endSessions(params.userId, { actorId: ctx.actor.id, reason: body.reason })
  }
}
