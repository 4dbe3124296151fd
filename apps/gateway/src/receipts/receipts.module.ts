import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { ReceiptsController } from './receipts.controller.js'

/** The receipt of a payment, with the names of the parties. */
@Module({ imports: [ServicesModule, PeopleModule], controllers: [ReceiptsController] })
export class ReceiptsModule {}
