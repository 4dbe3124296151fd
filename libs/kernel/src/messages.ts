/** Limits of the chat, and what a notification can be about. */

export const MAX_MESSAGE_LENGTH = 4000
/** A message has at most so many pictures. Each keeps to the limits of a listing's pictures (`images.ts`). */
export const MAX_MESSAGE_IMAGES = 4
/**
 * The most messages of one party in a chat. A mediator gets the whole chat in one answer. With more, a party could make it so large that no
 * mediator can read it.
 */
export const MAX_MESSAGES_PER_PARTY = 1_000

/** What a notification is about, such as a step of a deal or of its dispute. `security` is that of the account. */
export const NOTIFICATION_TYPES = ['transaction', 'dispute', 'message', 'security', 'payout', 'plan'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Unread messages of a chat are counted up to this number. */
export const MAX_UNREAD_SHOWN = 99
/** A search for names looks at so many people, those of the latest deals first. */
export const MAX_COUNTERPARTIES = 2_000

/** What a user is told, and how, until they choose (spec section 3). */
export const DEFAULT_NOTIFICATION_SETTINGS = {
  emailNotifications: true,
  smsNotifications: false,
  pushNotifications: true,
  transactionUpdates: true,
  messageNotifications: true,
  disputeNotifications: true,
  marketingEmails: false,
  securityAlerts: true,
} as const
export type NotificationSetting = keyof typeof DEFAULT_NOTIFICATION_SETTINGS
export type NotificationSettings = { readonly [Setting in NotificationSetting]: boolean }

/** The setting that decides whether notifications of a type are shown. */
export const SETTING_OF_TYPE = {
  transaction: 'transactionUpdates',
  dispute: 'disputeNotifications',
  message: 'messageNotifications',
  security: 'securityAlerts',
  payout: 'transactionUpdates',
  plan: 'transactionUpdates',
} as const satisfies Record<NotificationType, NotificationSetting>
