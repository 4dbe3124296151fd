import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { NotificationsModule } from '../notifications/notifications.module.js'
import { MessagesController } from './messages.controller.js'
import { MessagesService } from './messages.service.js'
import { PostingLimit } from './posting-limit.js'
import { SealingJob } from './sealing-job.js'

/** The chat of a deal. */
@Module({
  imports: [DealsModule, NotificationsModule],
  controllers: [MessagesController],
  providers: [MessagesService, PostingLimit, SealingJob],
})
export class MessagesModule {}
