/** The chat of a deal, notifications, and live events. */
import {
  MAX_COUNTERPARTIES,
  MAX_MESSAGE_IMAGES,
  MAX_MESSAGE_LENGTH,
  MAX_UNREAD_SHOWN,
  NOTIFICATION_TYPES,
  type NotificationSetting,
} from '@holdfast/kernel/messages'
import { MAX_IMAGE_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { z } from 'zod'
import { SearchText } from './admin-fields.js'
import {
  changedAmong,
  IdParams,
  ImageDataUrl,
  IntegerId,
  integerText,
  optionalText,
  PageQuery,
  Timestamp,
  Uuid,
} from './fields.js'
import { route } from './route.js'
import { PublicUser } from './users.js'

export const Message = z.object({
  id: Uuid,
  transactionId: IntegerId,
  /** Null for a message from the system. */
  senderId: Uuid.nullable(),
  /** Empty when the message is only pictures. */
  content: z.string(),
  /** Where its pictures are read. */
  images: z.array(z.object({ url: z.string() })).default([]),
  isSystem: z.boolean(),
  createdAt: Timestamp,
})
export type Message = z.infer<typeof Message>

export const Notification = z.object({
  id: Uuid,
  type: z.enum(NOTIFICATION_TYPES),
  title: z.string(),
  message: z.string(),
  transactionId: IntegerId.nullable(),
  /** The dispute that a notification of the type `dispute` is about; null when it is not known. */
  disputeId: IntegerId.nullable(),
  read: z.boolean(),
  time: Timestamp,
})
export type Notification = z.infer<typeof Notification>

const flag = () => z.boolean({ error: 'Must be true or false' })
const NotificationSettings = z.object({
  emailNotifications: flag(),
  smsNotifications: flag(),
  pushNotifications: flag(),
  transactionUpdates: flag(),
  messageNotifications: flag(),
  disputeNotifications: flag(),
  marketingEmails: flag(),
  securityAlerts: flag(),
} satisfies Record<NotificationSetting, z.ZodBoolean>)

/** The chat of a deal in which somebody has written. */
const ConversationRecord = z.object({
  transactionId: IntegerId,
  title: z.string(),
  otherId: Uuid,
  lastMessage: z.object({
    senderId: Uuid,
    content: z.string(),
    /** How many pictures it has. */
    images: z.number().int().min(0).max(MAX_MESSAGE_IMAGES).default(0),
    createdAt: Timestamp,
  }),
  /** Messages of the other party that the user has not read; at most `MAX_UNREAD_SHOWN`. */
  unread: z.number().int().min(0).max(MAX_UNREAD_SHOWN),
  /** Grows with each message. `before` of the next page. */
  position: IntegerId,
})
export const Conversation = ConversationRecord.omit({ otherId: true }).extend({ other: PublicUser })
export type Conversation = z.infer<typeof Conversation>

const ConversationsQuery = PageQuery.extend({
  /** Only those with unread messages. */
  unread: z.literal('true').optional(),
  /** A part of the item's title, or of the other party's name. */
  q: SearchText.optional(),
})

const NO_WORDS = 'Write a message first'
const NewMessage = z
  .object({
    /** May be empty when there are pictures. */
    content: optionalText(MAX_MESSAGE_LENGTH, NO_WORDS),
    images: z
      .array(ImageDataUrl, { error: 'Must be a list of images' })
      .max(MAX_MESSAGE_IMAGES, `${MAX_MESSAGE_IMAGES} images at most`)
      .default([]),
    transactionId: IntegerId.optional(),
    senderId: Uuid.nullish(),
    isSystem: z.boolean().optional(),
  })
  .refine(({ content, images }) => content !== '' || images.length > 0, { path: ['content'], error: NO_WORDS })

/** Which picture of a message: `index` counts from 0. */
const MessageImageParams = IdParams.extend({ messageId: Uuid, index: integerText(0, MAX_MESSAGE_IMAGES - 1) })

export const messageRoutes = {
  listConversations: route({
    method: 'GET',
    path: '/api/conversations',
    access: 'user',
    handling: 'joined',
    summary: 'The chats of the signed-in user in which somebody has written, the latest message first',
    query: ConversationsQuery,
    response: z.array(Conversation),
  }),
  readConversations: route({
    method: 'POST',
    path: '/api/conversations/read',
    access: 'user',
    summary: 'Mark the messages of all chats as read',
    status: 204,
  }),
  readMessages: route({
    method: 'PUT',
    path: '/api/transactions/{id}/messages/read',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'Mark the messages of a chat as read, up to one of them',
    status: 204,
    params: IdParams,
    body: z.object({ upTo: Uuid }),
    errors: ['TRANSACTION_NOT_FOUND', 'RATE_LIMITED'],
  }),
  listMessages: route({
    method: 'GET',
    path: '/api/transactions/{id}/messages',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'The chat of a deal, oldest first: the newest `limit` of them, or of those before a message',
    params: IdParams,
    /** `before` is a message's id. `Link: rel="next"` leads to the page of older messages. */
    query: PageQuery.pick({ limit: true }).extend({ before: Uuid.optional() }),
    response: z.array(Message),
    errors: ['TRANSACTION_NOT_FOUND', 'RATE_LIMITED'],
  }),
  postMessage: route({
    method: 'POST',
    path: '/api/transactions/{id}/messages',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'Send words, pictures or both to the other party; the sender is always the session’s user',
    status: 201,
    bodyLimit: MAX_IMAGE_REQUEST_BYTES,
    params: IdParams,
    body: NewMessage,
    response: Message,
    errors: [
      'TRANSACTION_NOT_FOUND',
      'COUNTERPARTY_UNAVAILABLE',
      'RATE_LIMITED',
      'IDEMPOTENCY_KEY_REUSED',
      'IMAGE_INVALID',
      'IMAGE_TOO_LARGE',
    ],
    repeatable: 'with-key',
  }),
  getMessageImage: route({
    method: 'GET',
    path: '/api/transactions/{id}/messages/{messageId}/images/{index}',
    access: 'user',
    record: { kind: 'messageImage' },
    handling: 'raw',
    summary: 'A picture of a message; only for the deal’s parties',
    params: MessageImageParams,
    errors: ['NOT_FOUND'],
  }),
  listNotifications: route({
    method: 'GET',
    path: '/api/notifications',
    access: 'user',
    summary: 'The signed-in user’s notifications, newest first',
    query: PageQuery.pick({ limit: true }),
    response: z.array(Notification),
  }),
  getUnreadNotifications: route({
    method: 'GET',
    path: '/api/notifications/unread',
    access: 'user',
    summary: 'How many of all the user’s notifications are unread',
    response: z.object({ unread: z.number().int() }),
  }),
  getNotificationSettings: route({
    method: 'GET',
    path: '/api/notifications/settings',
    access: 'user',
    summary: 'What the signed-in user wants to be told, and how',
    response: NotificationSettings,
  }),
  changeNotificationSettings: route({
    method: 'PUT',
    path: '/api/notifications/settings',
    access: 'user',
    summary: 'Change settings of notifications: those named in `changed`, or all',
    body: NotificationSettings.extend({ changed: changedAmong(NotificationSettings.keyof().options) }),
    response: NotificationSettings,
  }),
  readNotifications: route({
    method: 'POST',
    path: '/api/notifications/read',
    access: 'user',
    summary: 'Mark every notification as read',
    status: 204,
  }),
} as const

/** What a browser receives: which deal, message, dispute or payout changed, so that it loads it again. */
export const LiveEvent = z.object({
  kind: z.enum(['transaction', 'message', 'dispute', 'payout', 'reset']),
  transactionId: IntegerId.optional(),
  type: z.string(),
})
export type LiveEvent = z.infer<typeof LiveEvent>

export const liveRoutes = {
  getEvents: route({
    method: 'GET',
    path: '/api/events',
    access: 'user',
    handling: 'raw',
    summary:
      'Server-sent events for the signed-in user; Last-Event-ID resumes, `reset` asks to look at everything again',
    errors: ['RATE_LIMITED'],
  }),
} as const

export const mediatorChatRoutes = {
  getDisputeMessageImage: route({
    method: 'GET',
    path: '/api/admin/disputes/{id}/messages/{messageId}/images/{index}',
    access: 'admin',
    record: { kind: 'disputeMessageImage' },
    handling: 'raw',
    summary: 'A picture of the chat of a disputed deal; not for an admin who is a party of the deal',
    params: MessageImageParams,
    errors: ['NOT_FOUND'],
  }),
} as const

export const messageInternalRoutes = {
  listConversationRecords: route({
    method: 'POST',
    path: '/internal/conversations',
    access: { internal: ['gateway'] },
    summary:
      'The chats of the actor. With a search, those whose title has the text or whose other party is one of `others`',
    body: z.object({
      limit: z.number().int().min(1),
      before: IntegerId.optional(),
      unread: z.boolean(),
      search: z.object({ text: z.string(), others: z.array(Uuid).max(MAX_COUNTERPARTIES) }).optional(),
    }),
    response: z.array(ConversationRecord),
  }),
  listCounterparties: route({
    method: 'GET',
    path: '/internal/conversations/counterparties',
    access: { internal: ['gateway'] },
    summary: 'The people with whom the actor has a chat, those of the latest deals first',
    response: z.array(Uuid).max(MAX_COUNTERPARTIES),
  }),
  listMessagesOfDeal: route({
    method: 'GET',
    path: '/internal/transactions/{id}/messages',
    access: { internal: ['gateway'] },
    summary: 'The whole chat of a deal, for its mediator. The gateway checks that the deal is disputed',
    params: IdParams,
    response: z.array(Message),
  }),
  getMessageImageOfDeal: route({
    method: 'GET',
    path: '/internal/transactions/{id}/messages/{messageId}/images/{index}',
    access: { internal: ['gateway'] },
    summary: 'A picture of a message, for the deal’s mediator. The gateway checks that the deal is disputed',
    params: MessageImageParams,
    /** The JPEG in base64. */
    response: z.object({ jpeg: z.string() }),
    errors: ['NOT_FOUND'],
  }),
} as const
