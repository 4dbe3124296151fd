import { Heartbeat } from '@holdfast/service-kit/outages/heartbeat'
import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { DealClocks } from './deal-clocks.js'
import { OutagesService } from './outages.service.js'

/** Gives the parties back the time in which no replica could act. */
@Module({ imports: [DealsModule], providers: [Heartbeat, DealClocks, OutagesService] })
export class OutagesModule {}
