import { sellerRoutes } from '@holdfast/contracts/reviews'
import type { Parsed } from '@holdfast/contracts/route'
import { userInternalRoutes, userRoutes } from '@holdfast/contracts/users'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { UsersService } from './users.service.js'

@Controller()
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Route(userRoutes.getCurrentUser)
  async current(_: unknown, { actor }: Ctx<typeof userRoutes.getCurrentUser>) {
    return { ...(await this.users.getCurrent(actor.id)), sessionId: actor.sessionId }
  }

  @Route(userRoutes.searchUsers)
  search({ query }: Parsed<typeof userRoutes.searchUsers>, { actor }: Ctx<typeof userRoutes.searchUsers>) {
    return this.users.search(query.q, actor.id)
  }

  @Route(sellerRoutes.getSeller)
  seller({ params }: Parsed<typeof sellerRoutes.getSeller>) {
    return this.users.seller(params.username)
  }

  @Route(userInternalRoutes.lookUpUsers)
  lookUp({ body }: Parsed<typeof userInternalRoutes.lookUpUsers>) {
    return this.users.lookUp(body.ids)
  }
}
