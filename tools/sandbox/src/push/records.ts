/** A browser that has subscribed here, with what a real browser keeps to itself. Everything is in base64url. */
export interface PushBrowserRecord {
  readonly id: string
  /** The key of the product: only messages that it has signed are taken. */
  readonly serverKey: string
  readonly privateKey: string
  readonly p256dh: string
  readonly auth: string
  /** The person has removed the subscription: messages get 410. */
  readonly isGone: boolean
}

/** A push message as a browser has decrypted it. */
export interface PushMessageRecord {
  readonly id: string
  readonly browserId: string
  readonly receivedAt: number
  readonly ttlSeconds: number
  /** The decrypted text, which is JSON. */
  readonly text: string
}
