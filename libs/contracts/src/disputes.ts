/** Disputes: filed by a party, or by the system when an item was not delivered in time or a bank disputes the payment. Served by dispute-svc. */
import {
  DISPUTE_REASONS,
  DISPUTE_STATUSES,
  FILED_DISPUTE_REASONS,
  MAX_DISPUTE_DESCRIPTION_LENGTH,
} from '@holdfast/kernel/disputes'
import { z } from 'zod'
import { IdParams, IntegerId, Timestamp, text, UserIdParams, Uuid } from './fields.js'
import { route } from './route.js'

export const Dispute = z.object({
  id: IntegerId,
  transactionId: IntegerId,
  buyerId: Uuid,
  sellerId: Uuid,
  /** Null when the system filed it. */
  reporterId: Uuid.nullable(),
  reason: z.enum(DISPUTE_REASONS),
  description: z.string(),
  status: z.enum(DISPUTE_STATUSES),
  adminNotes: z.string().nullable(),
  resolution: z.string().nullable(),
  createdAt: Timestamp,
})
export type Dispute = z.infer<typeof Dispute>

export const disputeRoutes = {
  listDisputesOfUser: route({
    method: 'GET',
    path: '/api/disputes/user/{userId}',
    access: 'user',
    summary: 'The signed-in user’s disputes; the id of another user is not found',
    params: UserIdParams,
    response: z.array(Dispute),
    errors: ['NOT_FOUND'],
  }),
  fileDispute: route({
    method: 'POST',
    path: '/api/disputes',
    access: 'user',
    summary: 'Put a deal on hold until it is mediated',
    status: 201,
    body: z.object({
      transactionId: IntegerId,
      reason: z.enum(FILED_DISPUTE_REASONS, { error: 'Choose a reason' }),
      description: text(MAX_DISPUTE_DESCRIPTION_LENGTH, 'Say what happened'),
      reporterId: Uuid.nullish(),
    }),
    response: Dispute,
    errors: [
      'TRANSACTION_NOT_FOUND',
      'ESCROW_WRONG_STATE',
      'ESCROW_STOPPED_BY_PROVIDER',
      'DISPUTE_EXISTS',
      'DISPUTE_ENDED',
      'DISPUTE_WITHDRAWN_TOO_OFTEN',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'RATE_LIMITED',
      'UNAVAILABLE',
    ],
  }),
  getDispute: route({
    method: 'GET',
    path: '/api/disputes/{id}',
    access: 'user',
    summary: 'One dispute; only the deal’s parties may read it',
    params: IdParams,
    response: Dispute,
    errors: ['NOT_FOUND'],
  }),
  withdrawDispute: route({
    method: 'POST',
    path: '/api/disputes/{id}/withdraw',
    access: 'user',
    summary: 'Withdraw a dispute that one filed; the deal’s deadline goes on with the time that was left',
    params: IdParams,
    response: Dispute,
    errors: [
      'NOT_FOUND',
      'FORBIDDEN',
      'TRANSACTION_NOT_FOUND',
      'ESCROW_WRONG_STATE',
      'ESCROW_STOPPED_BY_PROVIDER',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'UNAVAILABLE',
    ],
  }),
} as const
