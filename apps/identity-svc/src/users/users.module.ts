import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { CompletedDealsConsumer } from './completed-deals.consumer.js'
import { CompletedDealsService } from './completed-deals.service.js'
import { ReviewsConsumer } from './reviews.consumer.js'
import { SearchLimit } from './search-limit.js'
import { User } from './user.entity.js'
import { UsersController } from './users.controller.js'
import { UsersService } from './users.service.js'

/** Users: their own view, their public profiles, and the search. */
@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [UsersController, CompletedDealsConsumer, ReviewsConsumer],
  providers: [CompletedDealsService, SearchLimit, UsersService],
})
export class UsersModule {}
