import { Module } from '@nestjs/common'
import { NotificationsModule } from '../notifications/notifications.module.js'
import { ReviewsConsumer } from './reviews.consumer.js'

/** Makes notifications from reviews. */
@Module({ imports: [NotificationsModule], controllers: [ReviewsConsumer] })
export class ReviewsModule {}
