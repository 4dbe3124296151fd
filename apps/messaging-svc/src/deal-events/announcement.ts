import { isActive } from '@holdfast/kernel/deals'
import { DEAL_TEXTS, type Deal, type DealEventName } from './deal-texts.js'

/** The notification for one party. */
export interface PartyNotification {
  readonly userId: string
  readonly title: string
  readonly message: string
}

/** The announcement of an event of a deal to its parties. */
export interface Announcement {
  /** The system's message in the chat. */
  readonly chat: string
  readonly notifications: readonly PartyNotification[]
  /** Whether the deal and its chat are hidden from now on, because the deal was cancelled before it was paid. */
  readonly hidden: boolean
  /** Whether the deal has ended. */
  readonly ended: boolean
  /** The dispute that the notifications are about; null when they are about none. */
  readonly dispute: DisputeOfNotification | null
}

/**
 * The dispute that a notification is about: its id; `new` while the system has filed it and dispute-svc has not said its id; `latest` for
 * the dispute that the deal has now.
 */
export type DisputeOfNotification = number | 'new' | 'latest'

/** Makes the announcement of an event. A party that acted itself is not notified. */
export function announcementOf<N extends DealEventName>(name: N, deal: Deal<N>): Announcement {
  const { chat, notification } = DEAL_TEXTS[name](deal)
  const parties = notification
    ? [
        { userId: deal.buyerId, title: notification.title, message: notification.buyer },
        { userId: deal.sellerId, title: notification.title, message: notification.seller },
      ]
    : []
  return {
    chat,
    notifications: parties.filter(({ userId }) => deal.actor !== `user:${userId}`),
    hidden: 'wasFunded' in deal && deal.wasFunded === false,
    ended: !isActive(deal.status),
    dispute: disputeOf(name, deal),
  }
}

function disputeOf<N extends DealEventName>(name: N, deal: Deal<N>): DisputeOfNotification | null {
  if ('disputeId' in deal) return deal.disputeId ?? 'new'
  return name === 'transactionDisputeEnded' || name === 'transactionResumed' ? 'latest' : null
}
