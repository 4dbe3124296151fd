import { notificationsToMail, type PayloadOf } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { NotificationMailsService } from './notification-mails.service.js'

@Controller()
export class NotificationMailsConsumer {
  constructor(private readonly mails: NotificationMailsService) {}

  @OnEvent(notificationsToMail, { consumer: 'notification-mails' })
  wanted({ notifications }: PayloadOf<typeof notificationsToMail>, { manager }: OnceContext): Promise<void> {
    return this.mails.queue(notifications, manager)
  }
}
