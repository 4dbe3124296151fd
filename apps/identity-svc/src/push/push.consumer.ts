import { notificationsToPush } from '@holdfast/contracts/events'
import { type BatchContext, type HandledEvent, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { queuePush } from './queue-push.js'

@Controller()
export class PushConsumer {
  @OnEvent(notificationsToPush, { consumer: 'push', batch: true })
  wanted(events: readonly HandledEvent<typeof notificationsToPush>[], { manager }: BatchContext): Promise<void> {
    return queuePush(
      manager,
      events.flatMap(({ payload }) => payload.notifications),
    )
  }
}
