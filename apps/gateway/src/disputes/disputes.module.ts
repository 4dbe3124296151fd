import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { DisputesController } from './disputes.controller.js'

/** The case of a dispute with the profiles of its parties. */
@Module({ imports: [ServicesModule, PeopleModule], controllers: [DisputesController] })
export class DisputesModule {}
