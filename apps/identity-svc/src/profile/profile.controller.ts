import type { Parsed } from '@holdfast/contracts/route'
import { userRoutes } from '@holdfast/contracts/users'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { browserOf } from '../credentials/browser.js'
import { ProfileService } from './profile.service.js'

@Controller()
export class ProfileController {
  constructor(private readonly profiles: ProfileService) {}

  @Route(userRoutes.changeProfile)
  change({ body }: Parsed<typeof userRoutes.changeProfile>, ctx: Ctx<typeof userRoutes.changeProfile>) {
    return this.profiles.change(ctx.actor, body, browserOf(ctx))
  }

  @Route(userRoutes.changePassword)
  changePassword({ body }: Parsed<typeof userRoutes.changePassword>, ctx: Ctx<typeof userRoutes.changePassword>) {
    return this.profiles.changePassword(ctx.actor, body, browserOf(ctx))
  }
}
