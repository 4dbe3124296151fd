/** Limits of the chat, and what a notification can be about. */

export const MAX_MESSAGE_LENGTH = 4000

/** What a notification is about: a step of a deal, a message in its chat, or the security of the account. */
export const NOTIFICATION_TYPES = ['transaction', 'message', 'security'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]
