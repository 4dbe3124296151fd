import { disputeRoutes as routes } from '@holdfast/contracts/dispute-routes'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { DisputesService } from './disputes.service.js'

@Controller()
export class DisputesController {
  constructor(private readonly disputes: DisputesService) {}

  @Route(routes.fileDispute)
  file({ body }: Parsed<typeof routes.fileDispute>, ctx: Ctx<typeof routes.fileDispute>) {
    return this.disputes.file(ctx.actor.id, body, ctx.idempotencyKey)
  }

  @Route(routes.withdrawDispute)
  withdraw({ params }: Parsed<typeof routes.withdrawDispute>, ctx: Ctx<typeof routes.withdrawDispute>) {
    return this.disputes.withdraw(params.id, ctx.actor.id, ctx.idempotencyKey)
  }
}
