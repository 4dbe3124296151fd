import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { CompletedTransactionsConsumer } from './completed-transactions.consumer.js'
import { CompletedTransactionsService } from './completed-transactions.service.js'
import { SearchLimit } from './search-limit.js'
import { User } from './user.entity.js'
import { UsersController } from './users.controller.js'
import { UsersService } from './users.service.js'

/** Who the users are, as they see themselves and as others see them. */
@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [UsersController, CompletedTransactionsConsumer],
  providers: [CompletedTransactionsService, SearchLimit, UsersService],
})
export class UsersModule {}
