/** The routes of disputes. Served by dispute-svc; the gateway joins some of them with what other services know. */
import {
  DISPUTE_STATUSES,
  FILED_DISPUTE_REASONS,
  MAX_DISPUTE_DESCRIPTION_LENGTH,
  MAX_DISPUTE_REASONS_LENGTH,
  MAX_EVIDENCE_IMAGES,
  MAX_EVIDENCE_NOTE_LENGTH,
  RULING_OUTCOMES,
} from '@holdfast/kernel/disputes'
import { MAX_IMAGE_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { MAX_CARRIER_LENGTH } from '@holdfast/kernel/tracking'
import { z } from 'zod'
import {
  Dispute,
  DisputeCase,
  DisputeCaseRecord,
  DisputeFile,
  Evidence,
  ListedDispute,
  QueuedDispute,
  QueuedDisputeRecord,
} from './disputes.js'
import {
  AmountInput,
  IdempotencyKey,
  IdParams,
  ImageDataUrl,
  IntegerId,
  IntegerIdText,
  integerText,
  oneOrMore,
  optionalLine,
  PageQuery,
  TrackingNumber,
  text,
  UserIdParams,
  Uuid,
} from './fields.js'
import { route } from './route.js'

const QueueQuery = PageQuery.pick({ limit: true }).extend({ status: oneOrMore(DISPUTE_STATUSES).optional() })
const Reason = z.object({ reason: text(MAX_DISPUTE_REASONS_LENGTH, 'Say why') })
/** What a command on a dispute may be refused with. */
const onDispute = ['NOT_FOUND', 'FORBIDDEN', 'DISPUTE_WRONG_STATE', 'IDEMPOTENCY_KEY_REUSED'] as const
/** The same for a command that asks escrow, or that may end the dispute there. */
const onSettling = [
  ...onDispute,
  'AMOUNT_INVALID',
  'TRANSACTION_NOT_FOUND',
  'ESCROW_WRONG_STATE',
  'ESCROW_STOPPED_BY_PROVIDER',
] as const

export const disputeRoutes = {
  listDisputesOfUser: route({
    method: 'GET',
    path: '/api/disputes/user/{userId}',
    access: 'user',
    summary: 'The signed-in user’s disputes; the id of another user is not found',
    params: UserIdParams,
    response: z.array(ListedDispute),
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
    handling: 'joined',
    summary:
      'One dispute with its evidence, proposals, time limits and rulings; only for the deal’s parties and mediators',
    params: IdParams,
    response: DisputeCase,
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
  addEvidence: route({
    method: 'POST',
    path: '/api/disputes/{id}/evidence',
    access: 'user',
    summary: 'Add a note, with or without pictures. Nothing of it can be changed or removed afterwards',
    status: 201,
    bodyLimit: MAX_IMAGE_REQUEST_BYTES,
    params: IdParams,
    body: z.object({
      note: text(MAX_EVIDENCE_NOTE_LENGTH, 'Say what this shows'),
      images: z
        .array(ImageDataUrl, { error: 'Must be a list of images' })
        .max(MAX_EVIDENCE_IMAGES, `${MAX_EVIDENCE_IMAGES} images at most`)
        .default([]),
    }),
    response: Evidence,
    errors: [...onDispute, 'IMAGE_INVALID', 'IMAGE_TOO_LARGE', 'RATE_LIMITED'],
  }),
  getEvidenceImage: route({
    method: 'GET',
    path: '/api/disputes/{id}/evidence/{n}/images/{index}',
    access: 'user',
    handling: 'raw',
    summary: 'A picture of the evidence; only for the deal’s parties and mediators',
    params: IdParams.extend({ n: IntegerIdText, index: integerText(0, MAX_EVIDENCE_IMAGES - 1) }),
    errors: ['NOT_FOUND'],
  }),
  proposeSettlement: route({
    method: 'POST',
    path: '/api/disputes/{id}/settlement',
    access: 'user',
    summary:
      'Propose what the buyer gets back, from zero to the price. A proposal equal to the other party’s open one accepts it and settles the dispute',
    params: IdParams,
    body: z.object({ refundAmount: AmountInput }),
    response: Dispute,
    errors: onSettling,
  }),
  declineSettlement: route({
    method: 'POST',
    path: '/api/disputes/{id}/settlement/decline',
    access: 'user',
    summary: 'Decline the other party’s open proposal',
    params: IdParams,
    response: Dispute,
    errors: onDispute,
  }),
  waiveAppeal: route({
    method: 'POST',
    path: '/api/disputes/{id}/waive',
    access: 'user',
    summary: 'Give up the right to appeal. When both parties have, the ruling is carried out at once',
    params: IdParams,
    response: Dispute,
    errors: onSettling,
  }),
  appealRuling: route({
    method: 'POST',
    path: '/api/disputes/{id}/appeal',
    access: 'user',
    summary: 'Appeal against a ruling, once. Another mediator decides finally',
    params: IdParams,
    body: Reason,
    response: Dispute,
    errors: onDispute,
  }),
  shipReturn: route({
    method: 'POST',
    path: '/api/disputes/{id}/return',
    access: 'user',
    summary: 'The buyer has shipped the item back; the number can be corrected until it has arrived',
    params: IdParams,
    body: z.object({ trackingNumber: TrackingNumber, carrier: optionalLine(MAX_CARRIER_LENGTH).nullish() }),
    response: Dispute,
    errors: onDispute,
  }),
  confirmReturn: route({
    method: 'POST',
    path: '/api/disputes/{id}/return/confirm',
    access: 'user',
    summary: 'The seller has the item back; the buyer is refunded in full',
    params: IdParams,
    response: Dispute,
    errors: onSettling,
  }),
  contestReturn: route({
    method: 'POST',
    path: '/api/disputes/{id}/return/contest',
    access: 'user',
    summary: 'The seller contests what came back, once; a mediator decides',
    params: IdParams,
    body: Reason,
    response: Dispute,
    errors: onDispute,
  }),
  listDisputeQueue: route({
    method: 'GET',
    path: '/api/admin/disputes',
    access: 'admin',
    handling: 'joined',
    summary:
      'Disputes for mediators, the earliest time limit first, those that wait for a bank last; without `status` those that are not closed',
    query: QueueQuery,
    response: z.array(QueuedDispute),
  }),
  getDisputeFile: route({
    method: 'GET',
    path: '/api/admin/disputes/{id}/file',
    access: 'admin',
    handling: 'joined',
    summary: 'Everything that is known of a disputed deal; not for an admin who is a party of the deal',
    params: IdParams,
    response: DisputeFile,
    errors: ['NOT_FOUND'],
  }),
  investigateDispute: route({
    method: 'PATCH',
    path: '/api/admin/disputes/{id}',
    access: 'admin',
    summary: 'A mediator takes the case, and may leave notes that the parties read',
    params: IdParams,
    body: z.object({
      status: z.literal('investigating', { error: 'Only investigating' }),
      adminNotes: text(MAX_DISPUTE_REASONS_LENGTH).optional(),
      /** Says that the mediator knows that another one has taken the case, and takes it over. */
      takeOver: z.boolean().default(false),
    }),
    response: Dispute,
    errors: [...onDispute, 'DISPUTE_TAKEN'],
  }),
  ruleDispute: route({
    method: 'POST',
    path: '/api/admin/disputes/{id}/ruling',
    access: 'admin',
    summary: 'Rule on a dispute, or on an appeal as another mediator. Needs an Idempotency-Key',
    params: IdParams,
    headers: z.object({ 'idempotency-key': IdempotencyKey }),
    body: z.object({
      outcome: z.enum(RULING_OUTCOMES, { error: 'Choose an outcome' }),
      /** Only for a partial refund: above zero and below the price that is still held. */
      refundAmount: AmountInput.optional(),
      resolution: text(MAX_DISPUTE_REASONS_LENGTH, 'Give the reasons'),
    }),
    response: Dispute,
    errors: onSettling,
  }),
} as const

export const disputeInternalRoutes = {
  getDisputeCaseRecord: route({
    method: 'GET',
    path: '/internal/disputes/{id}',
    access: { internal: ['gateway'] },
    summary: 'One dispute as a party or a mediator sees it, without the profiles of the parties',
    params: IdParams,
    response: DisputeCaseRecord,
    errors: ['NOT_FOUND'],
  }),
  listQueuedDisputeRecords: route({
    method: 'GET',
    path: '/internal/disputes',
    access: { internal: ['gateway'] },
    summary: 'Disputes for mediators, without the profiles of the parties',
    query: QueueQuery,
    response: z.array(QueuedDisputeRecord),
  }),
} as const
