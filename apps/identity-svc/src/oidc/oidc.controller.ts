import { providerSignInRoutes } from '@holdfast/contracts/provider-sign-in'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Controller, Inject } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'
import { browserOf } from '../credentials/browser.js'
import { answerSignedIn } from '../credentials/signed-in-answer.js'
import { OidcService } from './oidc.service.js'

const { startProviderSignIn, finishProviderSignIn } = providerSignInRoutes

@Controller()
export class OidcController {
  constructor(
    private readonly oidc: OidcService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Route(startProviderSignIn)
  start({ params }: Parsed<typeof startProviderSignIn>, ctx: Ctx<typeof startProviderSignIn>) {
    return this.oidc.start(params.provider, ctx.clientIp)
  }

  @Route(finishProviderSignIn)
  async finish({ body }: Parsed<typeof finishProviderSignIn>, ctx: Ctx<typeof finishProviderSignIn>) {
    return answerSignedIn(this.config.PUBLIC_URL, ctx, await this.oidc.finish(body, browserOf(ctx)))
  }
}
