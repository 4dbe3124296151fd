import { dealReviewed, type PayloadOf, userUpdated } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Controller } from '@nestjs/common'
import { User, viewOf } from './user.entity.js'

// `rating` is calculated from whole numbers, so that it is the same in whatever order the reviews arrive.
const COUNT = `
  UPDATE users SET rating_count = rating_count + 1, rating_sum = rating_sum + $2,
    rating = (rating_sum + $2)::float / (rating_count + 1)
  WHERE id = $1`

/** Keeps the mean of the ratings of each user. */
@Controller()
export class ReviewsConsumer {
  @OnEvent(dealReviewed, { consumer: 'reviews' })
  async count({ subjectId, rating }: PayloadOf<typeof dealReviewed>, { manager }: OnceContext): Promise<void> {
    await manager.query(COUNT, [subjectId, rating])
    const user = await manager.findOneBy(User, { id: subjectId })
    if (!user) return
    // Not the time of the review, which may be older than another change of the user.
    await appendToOutbox(manager, newEvent(userUpdated, user.id, { user: viewOf(user) }, await databaseTime(manager)))
  }
}
