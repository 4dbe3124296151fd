import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { DealsController } from './deals.controller.js'
import { DealsService } from './deals.service.js'

/** Deals with the profiles of their parties. */
@Module({
  imports: [ServicesModule, PeopleModule],
  controllers: [DealsController],
  providers: [DealsService],
  exports: [DealsService],
})
export class DealsModule {}
