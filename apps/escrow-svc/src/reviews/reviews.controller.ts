import { reviewInternalRoutes, reviewRoutes } from '@holdfast/contracts/reviews'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ReviewsService } from './reviews.service.js'

const { createReview, getReviewsOfDeal } = reviewRoutes
const { listReviewRecords } = reviewInternalRoutes

@Controller()
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Route(createReview)
  create({ params, body }: Parsed<typeof createReview>, ctx: Ctx<typeof createReview>) {
    return this.reviews.add(params.id, ctx.actor.id, body)
  }

  @Route(getReviewsOfDeal)
  ofDeal({ params }: Parsed<typeof getReviewsOfDeal>, ctx: Ctx<typeof getReviewsOfDeal>) {
    return this.reviews.ofDeal(params.id, ctx.actor.id)
  }

  @Route(listReviewRecords)
  list({ body }: Parsed<typeof listReviewRecords>) {
    return this.reviews.about(body)
  }
}
