import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { PaymentsController } from './payments.controller.js'

/** The beginning of a payment, with the buyer's address. */
@Module({ imports: [ServicesModule, PeopleModule], controllers: [PaymentsController] })
export class PaymentsModule {}
