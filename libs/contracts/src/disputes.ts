import { PARTY_ROLES } from '@holdfast/kernel/deals'
import {
  DISPUTE_ACTIONS,
  DISPUTE_CLOCKS,
  DISPUTE_ENDS,
  DISPUTE_REASONS,
  DISPUTE_ROLES,
  DISPUTE_STATUSES,
  DISPUTE_STEPS,
  DISPUTE_TURNS,
  FILED_DISPUTE_REASONS,
  MAX_DISPUTE_DESCRIPTION_LENGTH,
  MAX_DISPUTE_REASONS_LENGTH,
  MAX_EVIDENCE_IMAGES,
  MAX_EVIDENCE_NOTE_LENGTH,
  PROPOSAL_STATES,
  RULING_OUTCOMES,
  TAKERS,
} from '@holdfast/kernel/disputes'
import { MAX_IMAGE_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { MAX_CARRIER_LENGTH } from '@holdfast/kernel/tracking'
import { z } from 'zod'
import {
  Amount,
  AmountInput,
  CurrencyCode,
  IdempotencyKey,
  IdParams,
  ImageDataUrl,
  IntegerId,
  IntegerIdText,
  integerText,
  oneOrMore,
  optionalLine,
  PageQuery,
  Sha256,
  Timestamp,
  TrackingNumber,
  text,
  UserIdParams,
  Uuid,
} from './fields.js'
import { Message } from './messages.js'
import { route } from './route.js'
import { SettlementTerms, TransactionFile } from './transactions.js'
import { PublicUser } from './users.js'

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

/** A time limit that runs. */
const RunningClock = z.object({
  kind: z.enum(DISPUTE_CLOCKS),
  turn: z.enum(DISPUTE_TURNS),
  dueAt: Timestamp,
  /** Whether it passed on the mediator's side. */
  isEscalated: z.boolean(),
})

/** A dispute in its party's list, with whose turn it is. */
export const ListedDispute = Dispute.extend({
  turn: z.enum(DISPUTE_TURNS),
  /** The party for whom a proposal of the other side waits, whosever turn it is. */
  proposedTo: z.enum(PARTY_ROLES).nullable(),
  /** When the earliest of its time limits ends, whosever turn it is. */
  dueAt: Timestamp.nullable(),
  /** The time limits that run now, the earliest first. */
  clocks: z.array(RunningClock),
})
export type ListedDispute = z.infer<typeof ListedDispute>

/** One entry of a dispute's evidence. No entry is changed or removed. */
export const Evidence = z.object({
  /** 1, 2, 3 … in the order in which the entries were added. */
  n: IntegerId,
  authorId: Uuid,
  role: z.enum(DISPUTE_ROLES),
  note: z.string(),
  /** `sha256` is the hash of the picture's bytes as they are stored and sent. */
  images: z.array(z.object({ url: z.string(), sha256: Sha256 })),
  at: Timestamp,
  /** The hash of this entry with `previousSha256` in it (`docs/architecture.md`, "Evidence"). */
  sha256: Sha256,
  /** The hash of the entry before it; null for the first one. */
  previousSha256: Sha256.nullable(),
})
export type Evidence = z.infer<typeof Evidence>

/** A settlement that one party has proposed: what the buyer gets back of the price that is still held. */
export const Proposal = z.object({
  id: Uuid,
  role: z.enum(DISPUTE_ROLES),
  refundAmount: Amount,
  state: z.enum(PROPOSAL_STATES),
  at: Timestamp,
})
export type Proposal = z.infer<typeof Proposal>

/** What a mediator has ruled. */
export const Ruling = z.object({
  outcome: z.enum(RULING_OUTCOMES),
  /** What the buyer gets back of the price; for a return, what the buyer gets once the item is back. */
  refundAmount: Amount,
  resolution: z.string(),
  at: Timestamp,
  /** Whether it decided about an appeal. Such a ruling is final. */
  isOnAppeal: z.boolean(),
  isFinal: z.boolean(),
  /** The parties who have given up their right to appeal. */
  waivedBy: z.array(z.enum(DISPUTE_ROLES)),
})
export type Ruling = z.infer<typeof Ruling>

/** Who has taken a case that is not ruled on yet. */
const Taken = {
  /** Null while no mediator has taken it, and once a mediator has ruled. */
  takenBy: z.enum(TAKERS).nullable(),
  /** Which mediator it is. Only mediators read it; null for the parties. */
  mediatorId: Uuid.nullable(),
}

/** Everything of a dispute that its parties and a mediator read. */
export const DisputeCaseRecord = Dispute.extend({
  currency: CurrencyCode,
  title: z.string(),
  /** The price; null for a dispute of an older release, until escrow-svc has said it. */
  amount: Amount.nullable(),
  viewerRole: z.enum(DISPUTE_ROLES),
  turn: z.enum(DISPUTE_TURNS),
  actions: z.array(z.enum(DISPUTE_ACTIONS)),
  /** The time limits that run now, the earliest first. */
  clocks: z.array(RunningClock),
  ...Taken,
  evidence: z.array(Evidence),
  proposals: z.array(Proposal),
  rulings: z.array(Ruling),
  appeal: z.object({ role: z.enum(DISPUTE_ROLES), reason: z.string(), at: Timestamp }).nullable(),
  return: z
    .object({
      trackingNumber: z.string().nullable(),
      carrier: z.string().nullable(),
      shippedAt: Timestamp.nullable(),
      deliveredAt: Timestamp.nullable(),
      contest: z.object({ reason: z.string(), at: Timestamp }).nullable(),
    })
    .nullable(),
  /** The outcome that is proposed to the mediator when both parties stayed silent for long; null otherwise, and for the parties. */
  proposedOutcome: z.enum(RULING_OUTCOMES).nullable(),
  history: z.array(
    z.object({
      id: Uuid,
      step: z.enum(DISPUTE_STEPS),
      by: z.enum([...DISPUTE_ROLES, 'system', 'carrier']),
      text: z.string(),
      at: Timestamp,
    }),
  ),
  /** How it ended; null while it has not. */
  endedBy: z.enum(DISPUTE_ENDS).nullable(),
  /** What the deal holds and how it would be split; null while escrow cannot be asked. */
  settlement: SettlementTerms.nullable(),
})
export type DisputeCaseRecord = z.infer<typeof DisputeCaseRecord>

/** The people of a dispute. `mediator` is the one whom `mediatorId` names. */
const People = { buyer: PublicUser, seller: PublicUser, mediator: PublicUser.nullable() }

export const DisputeCase = DisputeCaseRecord.extend(People)
export type DisputeCase = z.infer<typeof DisputeCase>

/** A dispute in the mediators' queue. */
export const QueuedDisputeRecord = ListedDispute.extend({
  title: z.string(),
  /** The price; null for a dispute of an older release, until escrow-svc has said it. */
  amount: Amount.nullable(),
  currency: CurrencyCode,
  /** Whether a mediator's time limit has passed. */
  isEscalated: z.boolean(),
  ...Taken,
})
export type QueuedDisputeRecord = z.infer<typeof QueuedDisputeRecord>

export const QueuedDispute = QueuedDisputeRecord.extend(People)
export type QueuedDispute = z.infer<typeof QueuedDispute>

/**
 * Everything that is known of a disputed deal, for mediators and as one download for the payment provider: the terms and who accepted
 * them, where the parcel was, the chat, each step, the postings, and the evidence with its hashes.
 */
export const DisputeFile = z.object({
  dispute: DisputeCase,
  transaction: TransactionFile,
  messages: z.array(Message),
})
export type DisputeFile = z.infer<typeof DisputeFile>

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
      images: z.array(ImageDataUrl).max(MAX_EVIDENCE_IMAGES, `${MAX_EVIDENCE_IMAGES} images at most`).default([]),
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
    summary: 'Disputes for mediators, the earliest time limit first; without `status` those that are not closed',
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
