import { notificationsToPush, type PayloadOf } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { queuePush } from './queue-push.js'

@Controller()
export class PushConsumer {
  @OnEvent(notificationsToPush, { consumer: 'push' })
  wanted({ notifications }: PayloadOf<typeof notificationsToPush>, { manager }: OnceContext): Promise<void> {
    return queuePush(manager, notifications)
  }
}
