import {
  type PayloadOf,
  planChanged,
  subscriptionCancelled,
  subscriptionPaymentFailed,
} from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { NotificationsService } from '../notifications/notifications.service.js'
import { textOfCancellation, textOfChange, textOfFailure } from './plan-texts.js'

/** Notifies users of their plan. */
@Controller()
export class PlanEventsConsumer {
  constructor(private readonly notifications: NotificationsService) {}

  @OnEvent(planChanged, { consumer: 'plan-changes' })
  changed(change: PayloadOf<typeof planChanged>, { manager }: OnceContext): Promise<void> {
    const { userId, at } = change
    return this.notifications.add(manager, { userId, type: 'plan', at: new Date(at), ...textOfChange(change) })
  }

  @OnEvent(subscriptionPaymentFailed, { consumer: 'plan-payments' })
  failed(failure: PayloadOf<typeof subscriptionPaymentFailed>, { manager }: OnceContext): Promise<void> {
    const { userId, at } = failure
    return this.notifications.add(manager, { userId, type: 'plan', at: new Date(at), ...textOfFailure(failure) })
  }

  @OnEvent(subscriptionCancelled, { consumer: 'plan-cancellations' })
  cancelled(cancellation: PayloadOf<typeof subscriptionCancelled>, { manager }: OnceContext): Promise<void> {
    const { userId, at } = cancellation
    return this.notifications.add(manager, {
      userId,
      type: 'plan',
      at: new Date(at),
      ...textOfCancellation(cancellation),
    })
  }
}
