import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { CarrierClient } from './carrier.client.js'
import { ParcelsService } from './parcels.service.js'
import { ParcelsTimer } from './parcels.timer.js'
import { ReceiveByService } from './receive-by.service.js'
import { ReceiveByTimer } from './receive-by.timer.js'
import { TrackingController } from './tracking.controller.js'

/** Parcels: what the carrier reports about them, and the deliveries that start inspections. */
@Module({
  imports: [DealsModule],
  controllers: [TrackingController],
  providers: [CarrierClient, ParcelsService, ParcelsTimer, ReceiveByService, ReceiveByTimer],
})
export class TrackingModule {}
