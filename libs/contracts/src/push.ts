/** Push messages to browsers (RFC 8030), in which a user has switched them on. */
import { MAX_PUSH_ENDPOINT_LENGTH } from '@holdfast/kernel/push'
import { z } from 'zod'
import { Timestamp, Uuid } from './fields.js'
import { route } from './route.js'

/** The key is a point of P-256, uncompressed: 65 bytes in base64url. The secret has 16 bytes (RFC 8291). */
const KEY = /^B[A-Za-z0-9_-]{86}=?$/
const SECRET = /^[A-Za-z0-9_-]{22}(==)?$/

/** What a browser's `PushSubscription.toJSON()` answers. */
export const NewPushSubscription = z.object({
  endpoint: z
    .string({ error: 'Required' })
    .max(MAX_PUSH_ENDPOINT_LENGTH)
    .regex(/^https?:\/\/\S+$/, 'Must be an address'),
  keys: z.object({
    p256dh: z.string({ error: 'Required' }).regex(KEY, 'Must be a P-256 key'),
    auth: z.string({ error: 'Required' }).regex(SECRET, 'Must be 16 bytes in base64url'),
  }),
})
export type NewPushSubscription = z.infer<typeof NewPushSubscription>

/** A browser that gets push messages. */
export const PushBrowser = z.object({
  id: Uuid,
  /** Whether it is the browser that asks. */
  current: z.boolean(),
  userAgent: z.string().nullable(),
  createdAt: Timestamp,
})
export type PushBrowser = z.infer<typeof PushBrowser>

export const pushRoutes = {
  getPush: route({
    method: 'GET',
    path: '/api/push',
    access: 'user',
    summary:
      'The key with which this server signs push messages, and the browsers that get those of the signed-in user',
    response: z.object({ publicKey: z.string(), browsers: z.array(PushBrowser) }),
  }),
  addPushSubscription: route({
    method: 'POST',
    path: '/api/push/subscriptions',
    access: 'user',
    summary:
      'Send push messages to this browser for as long as it is signed in. It replaces an earlier subscription of it',
    status: 201,
    body: NewPushSubscription,
    response: PushBrowser,
    errors: ['RATE_LIMITED'],
  }),
  removePushSubscription: route({
    method: 'DELETE',
    path: '/api/push/subscriptions/{subscriptionId}',
    access: 'user',
    record: { kind: 'pushBrowser' },
    summary: 'Send no more push messages to a browser',
    status: 204,
    params: z.object({ subscriptionId: Uuid }),
  }),
} as const
