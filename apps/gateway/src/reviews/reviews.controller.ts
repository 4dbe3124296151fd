import { type Review, reviewInternalRoutes, reviewRoutes } from '@holdfast/contracts/reviews'
import type { Parsed } from '@holdfast/contracts/route'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'

const { listReviews } = reviewRoutes
const { listReviewRecords } = reviewInternalRoutes

/** Joins the reviews of a user with the names of their authors. */
@Controller()
export class ReviewsController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  @Route(listReviews)
  async list({ params, query }: Parsed<typeof listReviews>, ctx: Ctx<typeof listReviews>): Promise<Review[]> {
    const body = { ...query, userId: params.userId }
    const records = await this.calls.call('escrow-svc', listReviewRecords, { body }, { ...ctx, isRead: true })
    linkFullPage(ctx, listReviews, { page: records, limit: query.limit }, last => ({
      params,
      query: { ...query, before: last.id },
    }))
    return Promise.all(
      records.map(async ({ authorId, ...record }) => ({ ...record, author: await this.people.party(authorId) })),
    )
  }
}
