import type { Parsed } from '@holdfast/contracts/route'
import { verificationAdminRoutes as adminRoutes, verificationRoutes as routes } from '@holdfast/contracts/verification'
import { callerLeft } from '@holdfast/service-kit/http/caller-left'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { VerificationService } from './verification.service.js'
import { VerificationReviewService } from './verification-review.service.js'

@Controller()
export class VerificationController {
  constructor(
    private readonly verification: VerificationService,
    private readonly review: VerificationReviewService,
  ) {}

  @Route(routes.submitVerification)
  submit({ body }: Parsed<typeof routes.submitVerification>, ctx: Ctx<typeof routes.submitVerification>) {
    return this.verification.submit(body, { userId: ctx.actor.id, left: callerLeft(ctx.reply) })
  }

  @Route(adminRoutes.listVerifications)
  async list({ query }: Parsed<typeof adminRoutes.listVerifications>, ctx: Ctx<typeof adminRoutes.listVerifications>) {
    const page = await this.review.list(query)
    linkFullPage(ctx, adminRoutes.listVerifications, { page, limit: query.limit }, last => ({
      query: { ...query, after: last.submissionId },
    }))
    return page
  }

  @Route(adminRoutes.lookAtVerification)
  look(
    { params, body }: Parsed<typeof adminRoutes.lookAtVerification>,
    ctx: Ctx<typeof adminRoutes.lookAtVerification>,
  ) {
    ctx.reply.header('cache-control', 'private, no-store')
    return this.review.look(params.userId, { actorId: ctx.actor.id, reason: body.reason })
  }
}
