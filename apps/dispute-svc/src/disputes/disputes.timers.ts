import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { DisputesRepository } from './disputes.repository.js'
import { DisputesService } from './disputes.service.js'

/** Repeats freezes and resumes whose outcome is unknown. */
@Injectable()
export class DisputesTimers implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly disputes: DisputesRepository,
    private readonly service: DisputesService,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: 'dispute',
      upcoming: async (aheadMs, limit) =>
        (await this.disputes.listDue(aheadMs, limit)).map(row => ({ id: String(row.id), dueAt: row.retryAt as Date })),
      fire: id => this.service.retry(Number(id)),
    })
  }
}
