import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { InvitationsController } from './invitations.controller.js'
import { ListingsController } from './listings.controller.js'
import { ListingsService } from './listings.service.js'

/** Creating a listing, opening its deal when a counterparty was chosen, and invitations. */
@Module({
  imports: [ServicesModule, PeopleModule, DealsModule],
  controllers: [ListingsController, InvitationsController],
  providers: [ListingsService],
})
export class ListingsModule {}
