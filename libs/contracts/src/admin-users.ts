/** The operator's console: users, their roles and sessions. Served by identity-svc. */
import { MAX_APPROVERS, MAX_NAMES } from '@holdfast/kernel/admin'
import { UUIDS_IN_TEXT } from '@holdfast/kernel/ids'
import { PLANS, USER_ROLES, VERIFICATION_DECISIONS, VERIFICATION_STATUSES } from '@holdfast/kernel/users'
import { z } from 'zod'
import { SearchText, UuidPageQuery, WithReason } from './admin-fields.js'
import { Timestamp, UserIdParams, Uuid } from './fields.js'
import { route } from './route.js'

export const AdminUser = z.object({
  id: Uuid,
  email: z.string(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: z.enum(USER_ROLES),
  /** For an admin: from when on they count for acts that need two admins. */
  approvesFrom: Timestamp.nullable(),
  /** Since when the user is suspended; null when they are not. */
  suspendedAt: Timestamp.nullable(),
  plan: z.enum(PLANS),
  verificationStatus: z.enum(VERIFICATION_STATUSES),
  totalTransactions: z.number().int(),
  createdAt: Timestamp,
  /** Since when the account is being closed, and since when it is closed. A closed account has no personal data. */
  closingAt: Timestamp.nullable(),
  closedAt: Timestamp.nullable(),
  /** How many sessions are live. */
  sessions: z.number().int(),
})
export type AdminUser = z.infer<typeof AdminUser>

const AdminUserDetails = AdminUser.extend({
  liveSessions: z.array(
    z.object({
      id: Uuid,
      createdAt: Timestamp,
      expiresAt: Timestamp,
      clientIp: z.string().nullable(),
      userAgent: z.string().nullable(),
    }),
  ),
})

const UUID = UUIDS_IN_TEXT.source
/** Ids with commas between them: a list of the console asks for all its names at once. */
const ManyIds = z
  .string()
  .regex(new RegExp(`^${UUID}(,${UUID}){0,${MAX_NAMES - 1}}$`), 'Name ids with commas between them')

export const identityAdminRoutes = {
  listUsers: route({
    method: 'GET',
    path: '/api/admin/users',
    access: 'admin',
    summary: 'Users, newest first; optionally those whose name, username, e-mail address or id begins with a text',
    query: UuidPageQuery.extend({ q: SearchText.optional(), role: z.enum(USER_ROLES).optional() }),
    response: z.array(AdminUser),
  }),
  getUser: route({
    method: 'GET',
    path: '/api/admin/users/{userId}',
    access: 'admin',
    record: { kind: 'account' },
    summary: 'One user with the sessions that are live',
    params: UserIdParams,
    response: AdminUserDetails,
    errors: ['NOT_FOUND'],
  }),
  changeUserRole: route({
    method: 'POST',
    path: '/api/admin/users/{userId}/role',
    access: 'admin',
    record: { kind: 'account' },
    summary: 'Make a user an admin, or an admin a user; one’s own role cannot be changed',
    params: UserIdParams,
    body: WithReason.extend({ role: z.enum(USER_ROLES, { error: 'Choose a role' }) }),
    response: AdminUserDetails,
    needsProof: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'ADMIN_TOO_NEW'],
  }),
  suspendUser: route({
    method: 'POST',
    path: '/api/admin/users/{userId}/suspension',
    access: 'admin',
    record: { kind: 'account' },
    summary:
      'Suspend a user, or let them in again. A suspended user is signed out everywhere, cannot sign in, and nobody can open a transaction with them; not for admins',
    params: UserIdParams,
    body: WithReason.extend({ isSuspended: z.boolean({ error: 'Say whether they are suspended' }) }),
    response: AdminUserDetails,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
  decideVerification: route({
    method: 'POST',
    path: '/api/admin/verifications/{userId}/decision',
    access: 'admin',
    record: { kind: 'account' },
    summary:
      'Verify a user, or reject or take back the verification; the user reads the reason of a rejection. Only verified sellers are paid out',
    params: UserIdParams,
    body: WithReason.extend({
      decision: z.enum(VERIFICATION_DECISIONS, { error: 'Approve or reject' }),
      /** The submission that was reviewed. With it, a decision about an older submission is refused. */
      submissionId: Uuid.optional(),
    }),
    response: AdminUserDetails,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  }),
  listNames: route({
    method: 'GET',
    path: '/api/admin/names',
    access: 'admin',
    summary: 'The names of users by their ids; unknown ids are left out',
    query: z.object({ ids: ManyIds }),
    response: z.array(z.object({ id: Uuid, name: z.string() })),
  }),
  endUserSessions: route({
    method: 'POST',
    path: '/api/admin/users/{userId}/end-sessions',
    access: 'admin',
    record: { kind: 'account' },
    summary: 'End every session of a user',
    params: UserIdParams,
    body: WithReason,
    response: AdminUserDetails,
    errors: ['NOT_FOUND'],
  }),
} as const

export const identityAdminInternalRoutes = {
  listApprovers: route({
    method: 'GET',
    path: '/internal/admin/approvers',
    access: { internal: ['gateway'] },
    summary: 'The admins whose word counts for acts that need two admins',
    response: z.object({ userIds: z.array(Uuid).max(MAX_APPROVERS) }),
  }),
} as const
