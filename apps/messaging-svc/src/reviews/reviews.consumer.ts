import { dealReviewed, type PayloadOf } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { NotificationsService } from '../notifications/notifications.service.js'

/** Notifies a party of a deal that the other one has reviewed them. */
@Controller()
export class ReviewsConsumer {
  constructor(private readonly notifications: NotificationsService) {}

  @OnEvent(dealReviewed, { consumer: 'reviews' })
  reviewed(review: PayloadOf<typeof dealReviewed>, { manager }: OnceContext): Promise<void> {
    const { transactionId, subjectId, authorRole, rating, title, at } = review
    return this.notifications.add(manager, {
      userId: subjectId,
      type: 'transaction',
      title: 'New review',
      message: `The ${authorRole} of “${title}” gave you ${rating} of 5 stars.`,
      transactionId,
      at: new Date(at),
    })
  }
}
