/** Closing one's account, and the export of one's own data. */
import { CLOSING_OBSTACLES } from '@holdfast/kernel/account'
import { MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { z } from 'zod'
import { IntegerId, Timestamp } from './fields.js'
import { route } from './route.js'

/** Something that must end before the account can be closed. */
export const Obstacle = z.object({
  kind: z.enum(CLOSING_OBSTACLES),
  /** The deal that it is about; null for the balance and payouts. */
  transactionId: IntegerId.nullable(),
  disputeId: IntegerId.nullable(),
})
export type Obstacle = z.infer<typeof Obstacle>
/** The most obstacles that one service names. */
export const MAX_OBSTACLES = 20
const Obstacles = z.object({ obstacles: z.array(Obstacle) })

/**
 * The person shows again who they are. A user of a sign-in provider may leave the password out within `FRESH_SIGN_IN_MINUTES` after
 * they have signed in, or have confirmed in their session who they are.
 */
const Proof = z.object({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH).optional() })
/** The secret of the address of an export. Text of any other form belongs to no export. */
const ExportParams = z.object({ token: z.string().max(100) })
const onProof = ['SIGN_IN_AGAIN', 'CONFIRMATION_REQUIRED', 'RATE_LIMITED'] as const

/** Answered by the gateway from several services. */
export const accountRoutes = {
  getClosing: route({
    method: 'GET',
    path: '/api/account/closing',
    access: 'user',
    handling: 'joined',
    summary: 'What stands in the way of closing the account',
    response: Obstacles,
  }),
  closeAccount: route({
    method: 'POST',
    path: '/api/account/closing',
    access: 'user',
    handling: 'joined',
    summary: 'Close the account. Every session ends at once; the personal data are erased within seconds',
    status: 202,
    body: Proof,
    errors: ['ACCOUNT_IN_USE', ...onProof],
  }),
  downloadExport: route({
    method: 'GET',
    path: '/api/account/exports/{token}',
    access: 'user',
    handling: 'raw',
    record: { kind: 'dataExport' },
    summary: 'Everything that Holdfast keeps about the user, as JSON. Each address can be used once',
    params: ExportParams,
    // HEAD is refused.
    errors: ['METHOD_NOT_ALLOWED'],
  }),
} as const

/** Answered by identity-svc. */
export const exportRoutes = {
  createExport: route({
    method: 'POST',
    path: '/api/account/exports',
    access: 'user',
    summary: 'Make the address of an export of one’s own data',
    status: 201,
    body: Proof,
    response: z.object({ token: z.string(), expiresAt: Timestamp }),
    errors: onProof,
  }),
} as const

export const accountInternalRoutes = {
  /** Answered by identity-svc, escrow-svc and dispute-svc. */
  listObstacles: route({
    method: 'GET',
    path: '/internal/account/obstacles',
    access: { internal: ['gateway'] },
    summary: 'What of this service stands in the way of closing the account of the actor',
    response: Obstacles,
    errors: ['UNAUTHENTICATED'],
  }),
  beginClosing: route({
    method: 'POST',
    path: '/internal/account/closing',
    access: { internal: ['gateway'] },
    summary: 'Begin to close the account of the actor: every session ends, and escrow-svc is asked by event',
    status: 202,
    body: Proof,
    errors: ['UNAUTHENTICATED', 'ACCOUNT_IN_USE', ...onProof],
  }),
  requireProof: route({
    method: 'POST',
    path: '/internal/account/proof',
    access: { internal: ['gateway'] },
    summary: 'Refuse unless the actor has shown again in this session, a short time ago, who they are',
    status: 204,
    errors: ['UNAUTHENTICATED', 'CONFIRMATION_REQUIRED'],
  }),
  takeExport: route({
    method: 'POST',
    path: '/internal/account/exports/take',
    access: { internal: ['gateway'] },
    summary: 'Use the address of an export, once',
    status: 204,
    body: ExportParams,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
  }),
} as const
