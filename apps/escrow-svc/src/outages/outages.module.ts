import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { Heartbeat } from './heartbeat.js'
import { OutagesService } from './outages.service.js'

/** Gives the parties back the time in which no replica could act. */
@Module({ imports: [DealsModule], providers: [Heartbeat, OutagesService] })
export class OutagesModule {}
