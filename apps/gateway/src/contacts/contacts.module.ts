import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { ContactsController } from './contacts.controller.js'

/** The people whom a user has saved, and those of their deals. */
@Module({ imports: [ServicesModule, PeopleModule], controllers: [ContactsController] })
export class ContactsModule {}
