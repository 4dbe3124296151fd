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
  PROPOSAL_STATES,
  RULING_OUTCOMES,
  TAKERS,
} from '@holdfast/kernel/disputes'
import { z } from 'zod'
import { Amount, CurrencyCode, IntegerId, Sha256, Timestamp, Uuid } from './fields.js'
import { Message } from './messages.js'
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

/** Who has taken a case on which a mediator is to rule. */
const Taken = {
  /** Null while no mediator has taken it, and when no mediator decides about it now. */
  takenBy: z.enum(TAKERS).nullable(),
  /** Which mediator it is. Only mediators read it; null for the parties. */
  mediatorId: Uuid.nullable(),
}

/** A ruling that waits for a second admin. The parties do not read it. */
export const RulingRequest = z.object({
  id: Uuid,
  outcome: z.enum(RULING_OUTCOMES),
  /** What the buyer gets back of the price. */
  refundAmount: Amount,
  resolution: z.string(),
  askedBy: z.enum(TAKERS),
  askedAt: Timestamp,
  expiresAt: Timestamp,
})
export type RulingRequest = z.infer<typeof RulingRequest>

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
  /** The ruling that waits for a second admin; null for the parties. */
  rulingRequest: RulingRequest.nullable(),
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
  currency: CurrencyCode,
  /** Whether a mediator's time limit has passed. */
  isEscalated: z.boolean(),
  /** Whether a ruling waits for a second admin. */
  waitsForApproval: z.boolean(),
  ...Taken,
})
export type QueuedDisputeRecord = z.infer<typeof QueuedDisputeRecord>

export const QueuedDispute = QueuedDisputeRecord.extend({
  /** What the deal holds now, from escrow-svc; null while escrow-svc cannot be asked. */
  held: Amount.nullable(),
  ...People,
})
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
