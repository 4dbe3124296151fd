import { DEAL_TEXTS, type Deal, type DealEventName } from './deal-texts.js'

/** What one party is told. */
export interface ToldParty {
  readonly userId: string
  readonly title: string
  readonly message: string
}

/** What is said about an event: in the chat, and to whom it is news. */
export interface Told {
  readonly chat: string
  readonly notifications: readonly ToldParty[]
  /** The deal was cancelled unpaid: it is gone from every list, and its chat with it. */
  readonly gone: boolean
}

/** What an event means to the two parties: whoever acted knows already and is not notified. */
export function told<N extends DealEventName>(name: N, deal: Deal<N>): Told {
  const { chat, title, buyer, seller } = DEAL_TEXTS[name](deal)
  const parties = [
    { userId: deal.buyerId, title, message: buyer },
    { userId: deal.sellerId, title, message: seller },
  ]
  return {
    chat,
    notifications: parties.filter(({ userId }) => deal.actor !== `user:${userId}`),
    gone: 'wasFunded' in deal && deal.wasFunded === false,
  }
}
