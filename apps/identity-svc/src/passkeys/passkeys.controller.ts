import type { Parsed } from '@holdfast/contracts/route'
import { passkeyRoutes as routes } from '@holdfast/contracts/second-factor'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Controller, Inject } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'
import { browserOf } from '../credentials/browser.js'
import { answerSignedIn } from '../credentials/signed-in-answer.js'
import { answerAdded } from '../second-factor/added-factor-answer.js'
import { PasskeySignInService } from './passkey-sign-in.service.js'
import { PasskeysService } from './passkeys.service.js'

@Controller()
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly signIns: PasskeySignInService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Route(routes.startPasskeySignIn)
  async startSignIn(_: unknown, ctx: Ctx<typeof routes.startPasskeySignIn>) {
    return { options: await this.signIns.start(ctx.clientIp) }
  }

  @Route(routes.signInWithPasskey)
  async signIn({ body }: Parsed<typeof routes.signInWithPasskey>, ctx: Ctx<typeof routes.signInWithPasskey>) {
    return answerSignedIn(this.config.PUBLIC_URL, ctx, await this.signIns.signIn(body.passkey, browserOf(ctx)))
  }

  @Route(routes.startPasskeySecondStep)
  async startSecondStep(_: unknown, ctx: Ctx<typeof routes.startPasskeySecondStep>) {
    return { options: await this.signIns.startSecondStep(browserOf(ctx)) }
  }

  @Route(routes.startPasskeyConfirmation)
  async startConfirmation(_: unknown, { actor }: Ctx<typeof routes.startPasskeyConfirmation>) {
    return { options: await this.signIns.startConfirmation(actor) }
  }

  @Route(routes.startPasskey)
  async start(_: unknown, { actor }: Ctx<typeof routes.startPasskey>) {
    return { options: await this.passkeys.start(actor) }
  }

  @Route(routes.addPasskey)
  async add({ body }: Parsed<typeof routes.addPasskey>, ctx: Ctx<typeof routes.addPasskey>) {
    const added = await this.passkeys.add(ctx.actor, body.name, body.passkey, browserOf(ctx))
    return answerAdded(this.config.PUBLIC_URL, ctx, added)
  }

  @Route(routes.removePasskey)
  remove({ params }: Parsed<typeof routes.removePasskey>, { actor }: Ctx<typeof routes.removePasskey>) {
    return this.passkeys.remove(actor, params.passkeyId)
  }
}
