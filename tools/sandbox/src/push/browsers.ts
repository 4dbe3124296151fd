import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import type { PushBrowserRecord } from './records.js'

/** What a browser's `PushSubscription.toJSON()` answers. */
export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A browser that subscribes with the key of the product, as `PushManager.subscribe` does. */
export function newBrowser(serverKey: string): PushBrowserRecord {
  const ecdh = createECDH('prime256v1')
  const p256dh = ecdh.generateKeys().toString('base64url')
  return {
    id: randomUUID(),
    serverKey,
    privateKey: ecdh.getPrivateKey().toString('base64url'),
    p256dh,
    auth: randomBytes(16).toString('base64url'),
    isGone: false,
  }
}

/** @param origin of this push service */
export const subscriptionOf = ({ id, p256dh, auth }: PushBrowserRecord, origin: string): Subscription => ({
  endpoint: `${origin}/push/${id}`,
  keys: { p256dh, auth },
})
