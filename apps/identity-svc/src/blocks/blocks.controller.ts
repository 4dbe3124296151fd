import type { Parsed } from '@holdfast/contracts/route'
import { userInternalRoutes, userRoutes } from '@holdfast/contracts/users'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { BlocksService } from './blocks.service.js'

@Controller()
export class BlocksController {
  constructor(private readonly blocks: BlocksService) {}

  @Route(userRoutes.listBlockedUsers)
  list(_: unknown, { actor }: Ctx<typeof userRoutes.listBlockedUsers>) {
    return this.blocks.list(actor.id)
  }

  @Route(userRoutes.blockUser)
  block({ body }: Parsed<typeof userRoutes.blockUser>, { actor }: Ctx<typeof userRoutes.blockUser>) {
    return this.blocks.block(actor.id, body.userId)
  }

  @Route(userRoutes.unblockUser)
  unblock({ params }: Parsed<typeof userRoutes.unblockUser>, { actor }: Ctx<typeof userRoutes.unblockUser>) {
    return this.blocks.unblock(actor.id, params.userId)
  }

  @Route(userInternalRoutes.checkBlocked)
  async check({ body }: Parsed<typeof userInternalRoutes.checkBlocked>) {
    return { isBlocked: await this.blocks.isBlocked(body.blockerId, body.userId) }
  }

  @Route(userInternalRoutes.checkMailboxBlocked)
  async checkMailbox({ body }: Parsed<typeof userInternalRoutes.checkMailboxBlocked>) {
    return { isBlocked: await this.blocks.isMailboxBlocked(body.email, body.userId) }
  }
}
