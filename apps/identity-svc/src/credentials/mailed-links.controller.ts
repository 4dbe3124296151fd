import type { Parsed } from '@holdfast/contracts/route'
import { userRoutes } from '@holdfast/contracts/users'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Controller, Inject } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'
import { deviceCookie } from '../sessions/session-cookie.js'
import { browserOf } from './browser.js'
import { EmailConfirmationService } from './email-confirmation.service.js'
import { PasswordResetService } from './password-reset.service.js'

/** What people do with the links that are mailed to them. */
@Controller()
export class MailedLinksController {
  constructor(
    private readonly confirmations: EmailConfirmationService,
    private readonly resets: PasswordResetService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Route(userRoutes.confirmEmail)
  async confirmEmail({ body }: Parsed<typeof userRoutes.confirmEmail>, { actor }: Ctx<typeof userRoutes.confirmEmail>) {
    await this.confirmations.confirm(body.token, actor?.id ?? null)
  }

  @Route(userRoutes.sendConfirmation)
  async sendConfirmation(
    _: Parsed<typeof userRoutes.sendConfirmation>,
    { actor }: Ctx<typeof userRoutes.sendConfirmation>,
  ) {
    await this.confirmations.sendAgain(actor.id)
  }

  @Route(userRoutes.forgotPassword)
  async forgotPassword({ body }: Parsed<typeof userRoutes.forgotPassword>, ctx: Ctx<typeof userRoutes.forgotPassword>) {
    await this.resets.request(body.email, browserOf(ctx).clientIp)
  }

  @Route(userRoutes.resetPassword)
  async resetPassword({ body }: Parsed<typeof userRoutes.resetPassword>, ctx: Ctx<typeof userRoutes.resetPassword>) {
    const deviceToken = await this.resets.reset(body.token, body.password, browserOf(ctx))
    if (deviceToken !== null) ctx.reply.header('set-cookie', deviceCookie(this.config.PUBLIC_URL, deviceToken))
  }
}
