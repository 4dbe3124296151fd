import type { Notification as NotificationView } from '@holdfast/contracts/messages'
import { newId } from '@holdfast/kernel/ids'
import type { NotificationType } from '@holdfast/kernel/messages'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { type EntityManager, In, IsNull, Not, Repository } from 'typeorm'
import type { Deal } from '../deals/deal.entity.js'
import { otherParty } from '../deals/deals.service.js'
import { messageNotification } from './message-notification.js'
import { Notification, viewOf } from './notification.entity.js'
import { NotificationSettingsService } from './notification-settings.service.js'

/** A user whose account is closed gets no notification, such as that Premium has ended with it. $2 is the user. */
const IS_OPEN = 'NOT EXISTS (SELECT FROM closed_user WHERE user_id = $2)'

// A user has at most one unread notification of a chat: a further message updates it.
const ADD_FOR_MESSAGE = `
  INSERT INTO notifications (id, user_id, type, title, message, transaction_id, created_at, without_words)
  SELECT $1::uuid, $2::uuid, 'message', $3, $4, $5::bigint, $6::timestamptz, true WHERE ${IS_OPEN}
  ON CONFLICT (user_id, transaction_id) WHERE type = 'message' AND read_at IS NULL
  DO UPDATE SET title = excluded.title, message = excluded.message, created_at = excluded.created_at,
    without_words = true`

const ADD = `
  INSERT INTO notifications (id, user_id, type, title, message, transaction_id, created_at)
  SELECT $1::uuid, $2::uuid, $3, $4, $5, $6::bigint, $7::timestamptz WHERE ${IS_OPEN}`

interface NewNotification {
  readonly userId: string
  readonly type: NotificationType
  readonly title: string
  readonly message: string
  /** The deal to which it leads; left out when there is none. */
  readonly transactionId?: number
  readonly at: Date
}

/** The notifications of users. */
@Injectable()
export class NotificationsService {
  constructor(
    @InjectRepository(Notification) private readonly notifications: Repository<Notification>,
    private readonly settings: NotificationSettingsService,
    private readonly clock: Clock,
  ) {}

  /** The newest `limit` notifications of a user, newest first. What the user does not want to be told is left out, also below. */
  async list(userId: string, limit: number): Promise<NotificationView[]> {
    const hidden = await this.settings.hiddenTypes(userId)
    const newest = await this.notifications
      .createQueryBuilder('notification')
      .where({ userId, type: Not(In(hidden)) })
      .orderBy('notification.createdAt', 'DESC')
      .addOrderBy('notification.sequence', 'DESC')
      .limit(limit)
      .getMany()
    return newest.map(viewOf)
  }

  /** The number of all unread notifications of a user. */
  async countUnread(userId: string): Promise<number> {
    const hidden = await this.settings.hiddenTypes(userId)
    return this.notifications.countBy({ userId, readAt: IsNull(), type: Not(In(hidden)) })
  }

  /** Marks all notifications of a user as read. */
  async readAll(userId: string): Promise<void> {
    await this.notifications.update({ userId, readAt: IsNull() }, { readAt: this.clock.now() })
  }

  /** Notifies the other party of a message, in the dbTx that posts it. */
  async addForMessage(
    manager: EntityManager,
    deal: Deal,
    message: { senderId: string; createdAt: Date },
  ): Promise<void> {
    const { title, text } = messageNotification(deal, message.senderId)
    const to = otherParty(deal, message.senderId)
    const values = [newId(message.createdAt.getTime()), to, title, text, deal.transactionId, message.createdAt]
    await manager.query(ADD_FOR_MESSAGE, values)
  }

  /** Notifies a user of something, in the dbTx of its event. */
  async add(
    manager: EntityManager,
    { userId, type, title, message, transactionId, at }: NewNotification,
  ): Promise<void> {
    await manager.query(ADD, [newId(at.getTime()), userId, type, title, message, transactionId ?? null, at])
  }
}
