import { Module } from '@nestjs/common'
import { ForwardingModule } from '../forwarding/forwarding.module.js'
import { PeopleModule } from '../people/people.module.js'
import { DealsController } from './deals.controller.js'
import { DealsService } from './deals.service.js'

/** Deals with the people in them. */
@Module({
  imports: [ForwardingModule, PeopleModule],
  controllers: [DealsController],
  providers: [DealsService],
  exports: [DealsService],
})
export class DealsModule {}
