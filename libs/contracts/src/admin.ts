/**
 * The operator's console: what the gateway joins from several services, and what these answer to it. Users who are
 * not admins get 404 for every route of the console, and visitors too.
 */
import { ADMIN_ACTS, MAX_STUCK_DISPUTED, STUCK_KINDS } from '@holdfast/kernel/admin'
import { z } from 'zod'
import { Approval, DECISION_ERRORS, DecisionInput } from './admin-escrow.js'
import { Facts, SearchText, UuidPageQuery, UuidParams } from './admin-fields.js'
import { IntegerId, Timestamp, Uuid } from './fields.js'
import { route } from './route.js'

const ActsQuery = UuidPageQuery.extend({
  actor: Uuid.optional(),
  act: z.enum(ADMIN_ACTS).optional(),
  subject: SearchText.optional(),
})

export const KeptAct = z.object({
  id: Uuid,
  at: Timestamp,
  /** The admin who did it; null for an act of the command line. */
  actorId: Uuid.nullable(),
  /** The operating system's user who ran the command; null for an act of an admin. */
  commandLineUser: z.string().nullable(),
  act: z.enum(ADMIN_ACTS),
  /** What it was done to, such as `refund:{id}`. */
  subject: z.string(),
  before: Facts.nullable(),
  after: Facts.nullable(),
  reason: z.string(),
})
export type KeptAct = z.infer<typeof KeptAct>

export const StuckCase = z.object({
  kind: z.enum(STUCK_KINDS),
  /** The id of the deal, payment, refund or user. */
  id: z.string(),
  transactionId: IntegerId.nullable(),
  since: Timestamp,
  /** What is wrong, in a sentence. */
  text: z.string(),
  /** The page of the runbooks, or its section, that says what to do. */
  runbook: z.string(),
})
export type StuckCase = z.infer<typeof StuckCase>

/** Answered by the gateway from several services. */
export const gatewayAdminRoutes = {
  listAudit: route({
    method: 'GET',
    path: '/api/admin/audit',
    access: 'admin',
    handling: 'joined',
    summary: 'What admins did, with before, after and reason, newest first',
    query: ActsQuery,
    response: z.array(KeptAct),
  }),
  decideApproval: route({
    method: 'POST',
    path: '/api/admin/approvals/{id}',
    access: 'admin',
    record: { kind: 'approval' },
    handling: 'joined',
    summary: 'Approve or reject what another admin asked for; an approval does it at once',
    params: UuidParams,
    body: DecisionInput,
    response: Approval,
    needsProof: true,
    errors: DECISION_ERRORS,
  }),
  listStuck: route({
    method: 'GET',
    path: '/api/admin/stuck',
    access: 'admin',
    handling: 'joined',
    summary: 'What does not go on by itself: since when, and which runbook says what to do',
    response: z.array(StuckCase),
  }),
} as const

/** Served by every service that keeps acts of admins. */
export const auditInternalRoutes = {
  listActs: route({
    method: 'GET',
    path: '/internal/admin/acts',
    access: { internal: ['gateway'] },
    summary: 'The acts of admins that this service keeps, newest first',
    query: ActsQuery,
    response: z.array(KeptAct),
  }),
} as const

/** A disputed deal, and the dispute that froze it; null when the system filed it. */
const DisputedDeal = z.object({ transactionId: IntegerId, disputeId: IntegerId.nullable(), since: Timestamp })

export const stuckInternalRoutes = {
  /** escrow-svc */
  findStuck: route({
    method: 'GET',
    path: '/internal/admin/stuck',
    access: { internal: ['gateway'] },
    summary: 'What does not go on by itself, and every deal that is disputed for a while',
    response: z.object({ cases: z.array(StuckCase), disputed: z.array(DisputedDeal) }),
  }),
  /** escrow-svc */
  findDisputed: route({
    method: 'GET',
    path: '/internal/admin/disputed',
    access: { internal: ['dispute-svc'] },
    summary: 'Every deal that is disputed for a while, the oldest first',
    response: z.array(DisputedDeal),
  }),
  /** dispute-svc */
  findStuckDisputes: route({
    method: 'GET',
    path: '/internal/admin/stuck-disputes',
    access: { internal: ['gateway'] },
    summary: 'The disputes for which escrow-svc has not answered for a while',
    response: z.array(StuckCase),
  }),
  /** dispute-svc */
  findDealsWithDispute: route({
    method: 'POST',
    path: '/internal/admin/deals-with-dispute',
    access: { internal: ['gateway'] },
    summary: 'Which of these deals have a dispute that has not ended',
    body: z.object({ transactionIds: z.array(IntegerId).min(1).max(MAX_STUCK_DISPUTED) }),
    response: z.object({ transactionIds: z.array(IntegerId) }),
  }),
} as const
