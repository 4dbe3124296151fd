import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { ConversationsController } from './conversations.controller.js'

/** The chats of a user, with the names of the other parties. */
@Module({ imports: [ServicesModule, PeopleModule], controllers: [ConversationsController] })
export class ConversationsModule {}
