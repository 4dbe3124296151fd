import type { Parsed } from '@holdfast/contracts/route'
import { secondFactorRoutes } from '@holdfast/contracts/second-factor'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Controller, Inject } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'
import { browserOf } from '../credentials/browser.js'
import { answerSignedIn } from '../credentials/signed-in-answer.js'
import { answerAdded } from './added-factor-answer.js'
import { AuthenticatorService } from './authenticator.service.js'
import { FactorsService } from './factors.service.js'
import { IdentityConfirmationService } from './identity-confirmation.service.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { SecondStepService } from './second-step.service.js'

const routes = secondFactorRoutes

@Controller()
export class SecondFactorController {
  constructor(
    private readonly factors: FactorsService,
    private readonly authenticators: AuthenticatorService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly confirmations: IdentityConfirmationService,
    private readonly secondSteps: SecondStepService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Route(routes.getSecondFactor)
  get(_: unknown, { actor }: Ctx<typeof routes.getSecondFactor>) {
    return this.factors.stateOf(actor.id)
  }

  @Route(routes.confirmIdentity)
  async confirmIdentity({ body }: Parsed<typeof routes.confirmIdentity>, ctx: Ctx<typeof routes.confirmIdentity>) {
    await this.confirmations.confirm(ctx.actor, body, browserOf(ctx))
  }

  @Route(routes.startAuthenticator)
  start(_: unknown, { actor }: Ctx<typeof routes.startAuthenticator>) {
    return this.authenticators.start(actor)
  }

  @Route(routes.confirmAuthenticator)
  async confirm({ body }: Parsed<typeof routes.confirmAuthenticator>, ctx: Ctx<typeof routes.confirmAuthenticator>) {
    const added = await this.authenticators.confirm(ctx.actor, body.code, browserOf(ctx))
    return answerAdded(this.config.PUBLIC_URL, ctx, added)
  }

  @Route(routes.removeAuthenticator)
  remove(_: unknown, { actor }: Ctx<typeof routes.removeAuthenticator>) {
    return this.authenticators.remove(actor)
  }

  @Route(routes.renewRecoveryCodes)
  async renew(_: unknown, { actor }: Ctx<typeof routes.renewRecoveryCodes>) {
    return { recoveryCodes: await this.recoveryCodes.renew(actor) }
  }

  @Route(routes.finishSignIn)
  async finish({ body }: Parsed<typeof routes.finishSignIn>, ctx: Ctx<typeof routes.finishSignIn>) {
    return answerSignedIn(this.config.PUBLIC_URL, ctx, await this.secondSteps.finish(body, browserOf(ctx)))
  }
}
