import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { User } from '../users/user.entity.js'
import { ContactsController } from './contacts.controller.js'
import { ContactsService } from './contacts.service.js'

/** Saved contacts. */
@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [ContactsController],
  providers: [ContactsService],
})
export class ContactsModule {}
