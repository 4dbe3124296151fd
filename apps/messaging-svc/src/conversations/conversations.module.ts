import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { ConversationsController } from './conversations.controller.js'
import { ConversationsService } from './conversations.service.js'

/** The list of a user's chats. */
@Module({ imports: [DealsModule], controllers: [ConversationsController], providers: [ConversationsService] })
export class ConversationsModule {}
