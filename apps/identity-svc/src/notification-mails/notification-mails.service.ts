import type { notificationsToMail, PayloadOf } from '@holdfast/contracts/events'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import { type QueuedMail, queueMail } from '@holdfast/mail/queue-mail'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User } from '../users/user.entity.js'
import { MailedNotification, notificationMail } from './notification-mail.js'

const KIND = 'notification'
/** In SQL, since a parameter for each of a thousand users takes TypeORM longer than the rest of the event. */
const CONFIRMED = 'SELECT id, email FROM users WHERE id = ANY($1::uuid[]) AND email_confirmed_at IS NOT NULL'

type Notifications = PayloadOf<typeof notificationsToMail>['notifications']

/** Mails notifications to confirmed addresses. */
@Injectable()
export class NotificationMailsService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onModuleInit(): void {
    this.mailer.add(KIND, mail => this.#compose(mail))
  }

  /** Queues a mail for each notification whose user has confirmed their address, in the dbTx of its event. */
  async queue(notifications: readonly Notifications[number][], manager: EntityManager): Promise<void> {
    const ids = [...new Set(notifications.map(({ userId }) => userId))]
    const users: { id: string; email: string }[] = await manager.query(CONFIRMED, [ids])
    const addresses = new Map(users.map(({ id, email }) => [id, email]))
    const mails = notifications.flatMap(({ id: _, ...data }) => {
      const recipient = addresses.get(data.userId)
      return recipient === undefined ? [] : [{ kind: KIND, recipient, data }]
    })
    await queueMail(manager, ...mails)
  }

  async #compose({ data }: QueuedMail): Promise<MailContent | null> {
    const notification = MailedNotification.parse(data)
    const user = await this.dataSource.getRepository(User).findOneBy({ id: notification.userId })
    // The address may have changed since the mail was queued.
    if (!user?.emailConfirmedAt) return null
    return { to: user.email, ...notificationMail(notification, user.firstName, this.config.PUBLIC_URL) }
  }
}
