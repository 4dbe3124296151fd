import type { Parsed } from '@holdfast/contracts/route'
import { userRoutes } from '@holdfast/contracts/users'
import { type Ctx, type RequestContext, Route } from '@holdfast/service-kit/http/route'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Controller, Inject } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'
import { browserOf } from './browser.js'
import { type SecondStep, type SignedIn, SignInService } from './sign-in.service.js'
import { SignUpService } from './sign-up.service.js'
import { answerSignedIn } from './signed-in-answer.js'

/** The specification words the refusals of its two sign-in routes differently (section 8, login failure). */
const LOGIN_REFUSAL = 'Invalid credentials'

@Controller()
export class CredentialsController {
  constructor(
    private readonly signIns: SignInService,
    private readonly signUps: SignUpService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Route(userRoutes.signIn)
  async signIn({ body }: Parsed<typeof userRoutes.signIn>, ctx: Ctx<typeof userRoutes.signIn>) {
    return this.welcome(ctx, await this.signIns.signIn(body, browserOf(ctx)))
  }

  @Route(userRoutes.login)
  async login({ body }: Parsed<typeof userRoutes.login>, ctx: Ctx<typeof userRoutes.login>) {
    return this.welcome(ctx, await this.signIns.signIn(body, browserOf(ctx), LOGIN_REFUSAL))
  }

  @Route(userRoutes.signUp)
  async signUp({ body }: Parsed<typeof userRoutes.signUp>, ctx: Ctx<typeof userRoutes.signUp>) {
    return this.welcome(ctx, await this.signUps.signUp(body, browserOf(ctx)))
  }

  @Route(userRoutes.register)
  async register({ body }: Parsed<typeof userRoutes.register>, ctx: Ctx<typeof userRoutes.register>) {
    return this.welcome(ctx, await this.signUps.signUp(body, browserOf(ctx)))
  }

  private welcome(ctx: RequestContext, signedIn: SignedIn | SecondStep) {
    return answerSignedIn(this.config.PUBLIC_URL, ctx, signedIn)
  }
}
