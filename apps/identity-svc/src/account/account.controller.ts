import { accountInternalRoutes as internal, exportRoutes as routes } from '@holdfast/contracts/account'
import type { Parsed } from '@holdfast/contracts/route'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { browserOf } from '../credentials/browser.js'
import { ClosingService, IS_ADMIN } from './closing.service.js'
import { ExportsService } from './exports.service.js'
import { ProofOfPerson } from './proof-of-person.js'

@Controller()
export class AccountController {
  constructor(
    private readonly exports: ExportsService,
    private readonly closing: ClosingService,
    private readonly proof: ProofOfPerson,
  ) {}

  @Route(internal.requireProof)
  requireProof(_: unknown, { actor }: Ctx<typeof internal.requireProof>) {
    return this.proof.requireRecent(requireUser(actor))
  }

  @Route(routes.createExport)
  createExport({ body }: Parsed<typeof routes.createExport>, ctx: Ctx<typeof routes.createExport>) {
    return this.exports.create(ctx.actor, body.currentPassword, browserOf(ctx))
  }

  @Route(internal.takeExport)
  takeExport({ body }: Parsed<typeof internal.takeExport>, { actor }: Ctx<typeof internal.takeExport>) {
    return this.exports.take(requireUser(actor).id, body.token)
  }

  @Route(internal.listObstacles)
  obstacles(_: unknown, { actor }: Ctx<typeof internal.listObstacles>) {
    return { obstacles: requireUser(actor).role === 'admin' ? [IS_ADMIN] : [] }
  }

  @Route(internal.beginClosing)
  begin({ body }: Parsed<typeof internal.beginClosing>, ctx: Ctx<typeof internal.beginClosing>) {
    return this.closing.begin(requireUser(ctx.actor), body.currentPassword, browserOf(ctx))
  }
}
