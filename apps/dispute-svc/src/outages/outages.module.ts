import { Heartbeat } from '@holdfast/service-kit/outages/heartbeat'
import { Module } from '@nestjs/common'
import { DisputeClocks } from './dispute-clocks.js'
import { OutagesService } from './outages.service.js'

/** Gives back the time in which no replica could act. */
@Module({ providers: [Heartbeat, DisputeClocks, OutagesService] })
export class OutagesModule {}
