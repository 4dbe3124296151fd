/** Reviews, served by escrow-svc, and the public page of a seller. */
import { PARTY_ROLES } from '@holdfast/kernel/deals'
import { MAX_REVIEW_LENGTH, RATINGS } from '@holdfast/kernel/reviews'
import { z } from 'zod'
import { IdParams, PageQuery, Timestamp, text, UserIdParams, Uuid } from './fields.js'
import { route } from './route.js'
import { PublicUser } from './users.js'

/** A review as escrow-svc stores it. */
export const ReviewRecord = z.object({
  id: Uuid,
  authorId: Uuid,
  /** What the author was in the deal. */
  authorRole: z.enum(PARTY_ROLES),
  rating: z.number().int().min(1).max(5),
  text: z.string().nullable(),
  createdAt: Timestamp,
})
export type ReviewRecord = z.infer<typeof ReviewRecord>

/** A review as everyone reads it. It does not name the deal, which is private to its parties. */
export const Review = ReviewRecord.omit({ authorId: true }).extend({ author: PublicUser })
export type Review = z.infer<typeof Review>

/** What everyone may know of a user who sells. */
export const SellerProfile = PublicUser.extend({
  completedDeals: z.number().int(),
  reviewCount: z.number().int(),
  memberSince: Timestamp,
})
export type SellerProfile = z.infer<typeof SellerProfile>

/** Reviews are listed by their ids, which are in the order of time. */
const ReviewsQuery = PageQuery.omit({ before: true }).extend({ before: Uuid.optional() })

export const reviewRoutes = {
  createReview: route({
    method: 'POST',
    path: '/api/transactions/{id}/review',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'Review the other party of a completed deal, once',
    status: 201,
    params: IdParams,
    body: z.object({
      rating: z.union(
        RATINGS.map(rating => z.literal(rating)),
        { error: 'Choose 1 to 5 stars' },
      ),
      text: text(MAX_REVIEW_LENGTH).nullish(),
    }),
    response: ReviewRecord,
    errors: ['TRANSACTION_NOT_FOUND', 'ESCROW_WRONG_STATE', 'SELLER_NOT_ACCEPTED', 'REVIEW_EXISTS'],
  }),
  getReviewsOfDeal: route({
    method: 'GET',
    path: '/api/transactions/{id}/reviews',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'What the parties of a deal wrote about each other',
    params: IdParams,
    response: z.object({ mayReview: z.boolean(), reviews: z.array(ReviewRecord) }),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  listReviews: route({
    method: 'GET',
    path: '/api/users/{userId}/reviews',
    access: 'visitor',
    record: { kind: 'profile' },
    handling: 'joined',
    summary: 'What others wrote about a user, newest first',
    params: UserIdParams,
    query: ReviewsQuery,
    response: z.array(Review),
  }),
} as const

export const sellerRoutes = {
  getSeller: route({
    method: 'GET',
    path: '/api/sellers/{username}',
    access: 'visitor',
    record: { kind: 'profile' },
    summary: 'The public profile of a user, by username',
    params: z.object({ username: z.string().max(100) }),
    response: SellerProfile,
    errors: ['NOT_FOUND'],
  }),
} as const

export const reviewInternalRoutes = {
  listReviewRecords: route({
    method: 'POST',
    path: '/internal/reviews/list',
    access: { internal: ['gateway'] },
    summary: 'The reviews of a user, newest first',
    body: ReviewsQuery.extend({ userId: Uuid }),
    response: z.array(ReviewRecord),
  }),
} as const
