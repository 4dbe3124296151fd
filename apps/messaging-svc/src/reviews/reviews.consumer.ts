import { dealReviewed, type PayloadOf } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { BlocksService } from '../blocks/blocks.service.js'
import { NotificationsService } from '../notifications/notifications.service.js'

/** Notifies a party of a deal that the other one has reviewed them, unless they have blocked the author. */
@Controller()
export class ReviewsConsumer {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly blocks: BlocksService,
  ) {}

  @OnEvent(dealReviewed, { consumer: 'reviews' })
  async reviewed(review: PayloadOf<typeof dealReviewed>, { manager }: OnceContext): Promise<void> {
    const { transactionId, buyerId, sellerId, subjectId, authorRole, rating, title, at } = review
    const authorId = authorRole === 'buyer' ? buyerId : sellerId
    if (await this.blocks.isBlocked(manager, subjectId, authorId)) return
    await this.notifications.add(manager, {
      userId: subjectId,
      type: 'transaction',
      title: 'New review',
      message: `The ${authorRole} of “${title}” gave you ${rating} of 5 stars.`,
      transactionId,
      at: new Date(at),
    })
  }
}
