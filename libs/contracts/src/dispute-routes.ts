/** The routes of disputes. Served by dispute-svc; the gateway joins some of them with what other services know. */

import { MAX_APPROVERS } from '@holdfast/kernel/admin'
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
import { z } from 'zod'
import { DecisionInput } from './admin-escrow.js'
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
  PageQuery,
  ShipmentInput,
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

/** What a ruling may be refused with. */
const onRuling = [...onSettling, 'DISPUTE_TAKEN', 'ADMIN_TOO_NEW', 'CONFLICT'] as const

const RulingInput = z.object({
  outcome: z.enum(RULING_OUTCOMES, { error: 'Choose an outcome' }),
  /** Only for a partial refund: above zero and below the price that is still held. */
  refundAmount: AmountInput.optional(),
  resolution: text(MAX_DISPUTE_REASONS_LENGTH, 'Give the reasons'),
})
/** A dispute after a ruling, or with the ruling that waits for a second admin. */
const RuledDispute = Dispute.extend({ approvalId: Uuid.nullable() })
/** The ruling is named by its request, so that no other one is approved than the one that was read. */
const RulingDecision = DecisionInput.extend({ requestId: Uuid })
/** The admins whose word counts for acts that need two. */
const Approvers = z.array(Uuid).max(MAX_APPROVERS)

export const disputeRoutes = {
  listDisputesOfUser: route({
    method: 'GET',
    path: '/api/disputes/user/{userId}',
    access: 'user',
    record: { kind: 'ownList' },
    summary: 'The signed-in user’s disputes; the id of another user is not found',
    params: UserIdParams,
    response: z.array(ListedDispute),
    errors: ['NOT_FOUND'],
  }),
  fileDispute: route({
    method: 'POST',
    path: '/api/disputes',
    access: 'user',
    record: { kind: 'deal', namedBy: 'transactionId' },
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
      'SELLER_NOT_ACCEPTED',
      'DISPUTE_EXISTS',
      'DISPUTE_ENDED',
      'DISPUTE_WITHDRAWN_TOO_OFTEN',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'RATE_LIMITED',
      'UNAVAILABLE',
    ],
    repeatable: 'with-key',
  }),
  getDispute: route({
    method: 'GET',
    path: '/api/disputes/{id}',
    access: 'user',
    record: { kind: 'dispute' },
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
    record: { kind: 'filing', for: ['reporter'] },
    summary:
      'Withdraw a dispute that one filed; a deadline of the other side goes on with the time that was left, and one’s own was not moved',
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
    repeatable: 'with-key',
  }),
  addEvidence: route({
    method: 'POST',
    path: '/api/disputes/{id}/evidence',
    access: 'user',
    record: { kind: 'dispute', for: ['buyer', 'seller'] },
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
    record: { kind: 'evidenceImage' },
    handling: 'raw',
    summary: 'A picture of the evidence; only for the deal’s parties and mediators',
    params: IdParams.extend({ n: IntegerIdText, index: integerText(0, MAX_EVIDENCE_IMAGES - 1) }),
    errors: ['NOT_FOUND'],
  }),
  proposeSettlement: route({
    method: 'POST',
    path: '/api/disputes/{id}/settlement',
    access: 'user',
    record: { kind: 'dispute', for: ['buyer', 'seller'] },
    summary:
      'Propose what the buyer gets back, from zero to the price, or accept what the other party proposes: `accepts` names their proposal. An acceptance settles the dispute, and so does a proposal equal to the other party’s open one',
    params: IdParams,
    body: z.object({
      refundAmount: AmountInput,
      /** The proposal that the sender accepts, with `refundAmount` as its amount. When another one is open now, nothing happens. */
      accepts: Uuid.optional(),
    }),
    response: Dispute,
    errors: [...onSettling, 'PROPOSAL_CHANGED'],
    repeatable: 'with-key',
  }),
  declineSettlement: route({
    method: 'POST',
    path: '/api/disputes/{id}/settlement/decline',
    access: 'user',
    record: { kind: 'dispute', for: ['buyer', 'seller'] },
    summary: 'Decline the other party’s open proposal, which is named',
    params: IdParams,
    body: z.object({ proposalId: Uuid }),
    response: Dispute,
    errors: [...onDispute, 'PROPOSAL_CHANGED'],
    repeatable: 'with-key',
  }),
  waiveAppeal: route({
    method: 'POST',
    path: '/api/disputes/{id}/waive',
    access: 'user',
    record: { kind: 'dispute', for: ['buyer', 'seller'] },
    summary: 'Give up the right to appeal. When both parties have, the ruling is carried out at once',
    params: IdParams,
    response: Dispute,
    errors: onSettling,
    repeatable: 'with-key',
  }),
  appealRuling: route({
    method: 'POST',
    path: '/api/disputes/{id}/appeal',
    access: 'user',
    record: { kind: 'dispute', for: ['buyer', 'seller'] },
    summary: 'Appeal against a ruling, once. Another mediator decides finally',
    params: IdParams,
    body: Reason,
    response: Dispute,
    errors: onDispute,
    repeatable: 'with-key',
  }),
  shipReturn: route({
    method: 'POST',
    path: '/api/disputes/{id}/return',
    access: 'user',
    record: { kind: 'dispute', for: ['buyer'] },
    summary: 'The buyer has shipped the item back; the number can be corrected until it has arrived',
    params: IdParams,
    body: ShipmentInput,
    response: Dispute,
    errors: onDispute,
    repeatable: 'with-key',
  }),
  confirmReturn: route({
    method: 'POST',
    path: '/api/disputes/{id}/return/confirm',
    access: 'user',
    record: { kind: 'dispute', for: ['seller'] },
    summary: 'The seller has the item back; the buyer is refunded in full',
    params: IdParams,
    response: Dispute,
    errors: onSettling,
    repeatable: 'with-key',
  }),
  contestReturn: route({
    method: 'POST',
    path: '/api/disputes/{id}/return/contest',
    access: 'user',
    record: { kind: 'dispute', for: ['seller'] },
    summary: 'The seller contests what came back, once; a mediator decides',
    params: IdParams,
    body: Reason,
    response: Dispute,
    errors: onDispute,
    repeatable: 'with-key',
  }),
  listDisputeQueue: route({
    method: 'GET',
    path: '/api/admin/disputes',
    access: 'admin',
    handling: 'joined',
    summary:
      'Disputes for mediators, the earliest time limit first, those that wait for a bank last, and closed ones newest first; without `status` those that are not closed',
    query: QueueQuery,
    response: z.array(QueuedDispute),
  }),
  getDisputeFile: route({
    method: 'GET',
    path: '/api/admin/disputes/{id}/file',
    access: 'admin',
    record: { kind: 'dispute', for: ['admin'] },
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
    record: { kind: 'dispute', for: ['admin'] },
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
    repeatable: 'with-key',
  }),
  ruleDispute: route({
    method: 'POST',
    path: '/api/admin/disputes/{id}/ruling',
    access: 'admin',
    record: { kind: 'dispute', for: ['admin'] },
    handling: 'joined',
    summary:
      'Rule on a dispute, or on an appeal as another mediator; above an amount it waits for a second admin. Needs an Idempotency-Key',
    params: IdParams,
    headers: z.object({ 'idempotency-key': IdempotencyKey }),
    body: RulingInput,
    response: RuledDispute,
    needsProof: true,
    errors: onRuling,
    repeatable: 'with-key',
  }),
  decideRuling: route({
    method: 'POST',
    path: '/api/admin/disputes/{id}/ruling/decision',
    access: 'admin',
    record: { kind: 'dispute', for: ['admin'] },
    handling: 'joined',
    summary: 'Approve or reject the ruling that another mediator asked for; an approval records it at once',
    params: IdParams,
    body: RulingDecision,
    response: Dispute,
    needsProof: true,
    errors: [...onRuling, 'GONE'],
    repeatable: 'with-key',
  }),
} as const

export const disputeInternalRoutes = {
  recordRuling: route({
    method: 'POST',
    path: '/internal/disputes/{id}/ruling',
    access: { internal: ['gateway'] },
    summary: 'The ruling of a mediator',
    params: IdParams,
    headers: z.object({ 'idempotency-key': IdempotencyKey }),
    body: RulingInput.extend({ approvers: Approvers }),
    response: RuledDispute,
    errors: onRuling,
    repeatable: 'with-key',
  }),
  recordRulingDecision: route({
    method: 'POST',
    path: '/internal/disputes/{id}/ruling/decision',
    access: { internal: ['gateway'] },
    summary: 'The decision of an admin about the ruling that another one asked for',
    params: IdParams,
    body: RulingDecision.extend({ approvers: Approvers }),
    response: Dispute,
    errors: [...onRuling, 'GONE'],
    repeatable: 'with-key',
  }),
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
