import type { Deal } from '../deals/deal.entity.js'

/** The notification of a message for the other party. It has no word of the message, because it is stored as plain text. */
export function messageNotification(deal: Pick<Deal, 'buyerId' | 'title'>, senderId: string) {
  const role = senderId === deal.buyerId ? 'buyer' : 'seller'
  return { title: `New message from the ${role}`, text: deal.title }
}
