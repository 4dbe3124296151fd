/** The operator's console: users, their roles and sessions. Served by identity-svc. */
import { PLANS, USER_ROLES, VERIFICATION_STATUSES } from '@holdfast/kernel/users'
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
  plan: z.enum(PLANS),
  verificationStatus: z.enum(VERIFICATION_STATUSES),
  totalTransactions: z.number().int(),
  createdAt: Timestamp,
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
    summary: 'One user with the sessions that are live',
    params: UserIdParams,
    response: AdminUserDetails,
    errors: ['NOT_FOUND'],
  }),
  changeUserRole: route({
    method: 'POST',
    path: '/api/admin/users/{userId}/role',
    access: 'admin',
    summary: 'Make a user an admin, or an admin a user; one’s own role cannot be changed',
    params: UserIdParams,
    body: WithReason.extend({ role: z.enum(USER_ROLES, { error: 'Choose a role' }) }),
    response: AdminUserDetails,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
  endUserSessions: route({
    method: 'POST',
    path: '/api/admin/users/{userId}/end-sessions',
    access: 'admin',
    summary: 'End every session of a user',
    params: UserIdParams,
    body: WithReason,
    response: AdminUserDetails,
    errors: ['NOT_FOUND'],
  }),
} as const
