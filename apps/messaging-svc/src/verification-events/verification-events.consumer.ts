import { userVerificationDecided } from '@holdfast/contracts/events'
import { type HandledEvent, type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { NotificationsService } from '../notifications/notifications.service.js'
import { verificationText } from './verification-text.js'

/** Notifies users of decisions about their identity documents. */
@Controller()
export class VerificationEventsConsumer {
  constructor(private readonly notifications: NotificationsService) {}

  @OnEvent(userVerificationDecided, { consumer: 'verification-events' })
  decided(decided: HandledEvent<typeof userVerificationDecided>['payload'], { manager }: OnceContext): Promise<void> {
    const facts = { userId: decided.userId, type: 'security', at: new Date(decided.at) } as const
    return this.notifications.add(manager, { ...facts, ...verificationText(decided) })
  }
}
