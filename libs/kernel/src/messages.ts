/** Limits of the chat, and what a notification can be about. */

export const MAX_MESSAGE_LENGTH = 4000

/** What a notification is about: a step of a deal or of its dispute, a message in its chat, the security of the account, or a payout. */
export const NOTIFICATION_TYPES = ['transaction', 'dispute', 'message', 'security', 'payout'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]
