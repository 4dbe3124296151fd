import { notificationsToMail, notificationsToPush, notificationsToText } from '@holdfast/contracts/events'
import type { NotificationSettings, NotificationType } from '@holdfast/kernel/messages'
import { TEXTED_TYPES } from '@holdfast/kernel/sms'

/** A way on which users are told, besides the bell. */
export interface Channel {
  /** The column that says that a notification was not considered yet. */
  readonly pending: 'mail_pending' | 'push_pending' | 'sms_pending'
  /** The notification of a message is passed on when it is unread for so long: two people who write to each other read at once. */
  readonly unreadMessageSeconds: number
  /** The setting of users who do not want it. */
  readonly setting: keyof NotificationSettings
  /** The types that are passed on; all when left out. */
  readonly types?: readonly NotificationType[]
  readonly event: typeof notificationsToMail | typeof notificationsToPush | typeof notificationsToText
}

export const UNREAD_MESSAGE_SECONDS = 120

/** Shorter than for a mail: a push message is of use while its sender still waits. */
export const PUSH_MESSAGE_AFTER_SECONDS = 10

export const CHANNELS: readonly Channel[] = [
  {
    pending: 'mail_pending',
    unreadMessageSeconds: UNREAD_MESSAGE_SECONDS,
    setting: 'emailNotifications',
    event: notificationsToMail,
  },
  {
    pending: 'push_pending',
    unreadMessageSeconds: PUSH_MESSAGE_AFTER_SECONDS,
    setting: 'pushNotifications',
    event: notificationsToPush,
  },
  {
    pending: 'sms_pending',
    // Messages are not texted, and need not wait until it is known whether they are read.
    unreadMessageSeconds: 0,
    setting: 'smsNotifications',
    types: TEXTED_TYPES,
    event: notificationsToText,
  },
]
