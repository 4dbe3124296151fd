import type { Parsed } from '@holdfast/contracts/route'
import { userInternalRoutes, userRoutes } from '@holdfast/contracts/users'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Controller, Inject } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'
import { clearedSessionCookie } from './session-cookie.js'
import { SessionVerifier } from './session-verifier.js'
import { SessionsService } from './sessions.service.js'

@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly verifier: SessionVerifier,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Route(userRoutes.logOut)
  async logOut(_: unknown, { actor, reply }: Ctx<typeof userRoutes.logOut>) {
    if (actor) await this.sessions.end(actor)
    // The header is sent also without a session, so that a browser deletes the cookie of an ended session.
    reply.header('set-cookie', clearedSessionCookie(this.config.PUBLIC_URL))
  }

  @Route(userRoutes.listSessions)
  list(_: unknown, { actor }: Ctx<typeof userRoutes.listSessions>) {
    return this.sessions.list(actor)
  }

  @Route(userRoutes.endOtherSessions)
  endOthers(_: unknown, { actor }: Ctx<typeof userRoutes.endOtherSessions>) {
    return this.sessions.endOthers(actor)
  }

  @Route(userRoutes.endSession)
  endOne({ params }: Parsed<typeof userRoutes.endSession>, { actor }: Ctx<typeof userRoutes.endSession>) {
    return this.sessions.endOne(actor.id, params.sessionId)
  }

  @Route(userInternalRoutes.verifySessions)
  verify({ body }: Parsed<typeof userInternalRoutes.verifySessions>) {
    return this.verifier.verify(body.hashes)
  }
}
