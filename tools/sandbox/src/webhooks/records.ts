export type Receiver = 'stripe' | 'carrier' | 'coinify'

export interface Attempt {
  readonly at: number
  /** The receiver's HTTP status; null when no answer came. */
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
}

/** The delivery of one event to one receiver. */
export interface DeliveryRecord {
  readonly id: string
  readonly createdAt: number
  readonly receiver: Receiver
  readonly eventId: string
  readonly type: string
  /** What it is about, for people: a payment's or a tracker's id. */
  readonly subject: string
  readonly status: 'pending' | 'delivered' | 'given_up'
  readonly attempts: number
  /** The newest attempts, oldest first. */
  readonly recent: readonly Attempt[]
  readonly dueAt: number
}

/** Settings of the sandbox that a person or a test may change. They survive a restart. */
export interface SettingsRecord {
  readonly id: 'settings'
  readonly webhooksPaused: boolean
  /** Each event is sent this many times more. */
  readonly webhookDuplicates: number
  /** Events wait a random part of two seconds, so that they overtake each other. */
  readonly webhooksShuffled: boolean
  readonly webhookDelayMs: number
  /** `by_hand`: a card payment waits in `processing` until a person settles or declines it. */
  readonly cards: 'at_once' | 'by_hand'
  /** `by_hand`: a refund waits in `pending` until a person settles or fails it. */
  readonly refunds: 'at_once' | 'by_hand'
  /** Every provider and carrier call takes this much longer. */
  readonly latencyMs: number
}

export const DEFAULT_SETTINGS: SettingsRecord = {
  id: 'settings',
  webhooksPaused: false,
  webhookDuplicates: 0,
  webhooksShuffled: false,
  webhookDelayMs: 0,
  cards: 'at_once',
  refunds: 'at_once',
  latencyMs: 0,
}
