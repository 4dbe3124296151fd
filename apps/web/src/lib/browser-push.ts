import type { NewPushSubscription } from '@holdfast/contracts/push'

const WORKER = '/push-worker.js'

/** Whether this browser offers push messages, and whether its user has forbidden them to this site. */
export function pushAbility(): 'offered' | 'forbidden' | 'missing' {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'missing'
  return Notification.permission === 'denied' ? 'forbidden' : 'offered'
}

/** The user did not allow notifications when the browser asked. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed'
}

/**
 * Asks the user for their permission, and subscribes to push messages that are signed with a key. Only in answer to a click, because
 * browsers ask only then.
 *
 * @param publicKey of the server, in base64url
 * @throws NotAllowed; DOMException when the browser cannot reach its push service
 */
export async function subscribeHere(publicKey: string): Promise<NewPushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed()
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const key = bytesOf(publicKey)
  const known = await pushManager.getSubscription()
  // A subscription with another key gets nothing that this server signs.
  if (known && !isSame(known.options.applicationServerKey, key)) await known.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = subscription.toJSON()
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error('the browser has subscribed without keys')
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }
}

/** Ends the subscription of this browser, if it has one. */
export async function unsubscribeHere(): Promise<void> {
  if (pushAbility() === 'missing') return
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0))

function isSame(known: ArrayBuffer | null, key: Uint8Array): boolean {
  const bytes = new Uint8Array(known ?? new ArrayBuffer(0))
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index])
}
