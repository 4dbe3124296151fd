import { notificationsToMail } from '@holdfast/contracts/events'
import { type BatchContext, type HandledEvent, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { NotificationMailsService } from './notification-mails.service.js'

@Controller()
export class NotificationMailsConsumer {
  constructor(private readonly mails: NotificationMailsService) {}

  @OnEvent(notificationsToMail, { consumer: 'notification-mails', batch: true })
  wanted(events: readonly HandledEvent<typeof notificationsToMail>[], { manager }: BatchContext): Promise<void> {
    return this.mails.queue(
      events.flatMap(({ payload }) => payload.notifications),
      manager,
    )
  }
}
