import { Module } from '@nestjs/common'
import { BlocksModule } from '../blocks/blocks.module.js'
import { NotificationsModule } from '../notifications/notifications.module.js'
import { ReviewsConsumer } from './reviews.consumer.js'

/** Makes notifications from reviews. */
@Module({ imports: [BlocksModule, NotificationsModule], controllers: [ReviewsConsumer] })
export class ReviewsModule {}
