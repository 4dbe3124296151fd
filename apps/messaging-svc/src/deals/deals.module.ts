import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { Deal } from './deal.entity.js'
import { DealKeys } from './deal-keys.js'
import { DealsService } from './deals.service.js'

/** The deals and their parties, from the events of escrow-svc. */
@Module({
  imports: [TypeOrmModule.forFeature([Deal])],
  providers: [DealsService, DealKeys],
  exports: [DealsService, DealKeys],
})
export class DealsModule {}
