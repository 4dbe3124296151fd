/** Limits of the chat, and what a notification can be about. */

export const MAX_MESSAGE_LENGTH = 4000

/** What a notification is about: a step of a deal or of its dispute, a message in its chat, the security of the account, or a payout. */
export const NOTIFICATION_TYPES = ['transaction', 'dispute', 'message', 'security', 'payout'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Unread messages of a chat are counted up to this number. */
export const MAX_UNREAD_SHOWN = 99
/** A search for names looks at so many people, those of the latest deals first. */
export const MAX_COUNTERPARTIES = 2_000
