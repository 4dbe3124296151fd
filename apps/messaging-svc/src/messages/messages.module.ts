import { PicturesModule } from '@holdfast/pictures/pictures.module'
import { Module } from '@nestjs/common'
import { BlocksModule } from '../blocks/blocks.module.js'
import { DealsModule } from '../deals/deals.module.js'
import { NotificationsModule } from '../notifications/notifications.module.js'
import { MessagePictures } from './message-pictures.js'
import { MessagesController } from './messages.controller.js'
import { MessagesService } from './messages.service.js'
import { PictureRemovalJob } from './picture-removal-job.js'
import { PostingLimit } from './posting-limit.js'
import { SealingJob } from './sealing-job.js'

/** The chat of a deal. */
@Module({
  imports: [BlocksModule, DealsModule, NotificationsModule, PicturesModule],
  controllers: [MessagesController],
  providers: [MessagesService, MessagePictures, PictureRemovalJob, PostingLimit, SealingJob],
})
export class MessagesModule {}
