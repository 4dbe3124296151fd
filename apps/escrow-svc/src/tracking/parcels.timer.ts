import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { ParcelsService } from './parcels.service.js'

/** Polls the carrier about parcels. */
@Injectable()
export class ParcelsTimer implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly parcels: ParcelsService,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: 'parcel',
      upcoming: (aheadMs, limit) => this.parcels.due(aheadMs, limit),
      fire: id => this.parcels.poll(Number(id)),
    })
  }
}
