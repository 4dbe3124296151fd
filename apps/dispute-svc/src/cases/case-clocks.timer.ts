import type { DisputeClock } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { CaseClocksRepository, type DueClock } from './case-clocks.repository.js'
import { CasesRepository } from './cases.repository.js'
import { type CaseCommand, MEDIATORS_CLOCKS } from './domain/case.js'
import { decide } from './domain/decisions.js'
import { turnOfClock } from './domain/turns.js'
import { SettlementsService } from './settlements.service.js'

/** What happens when a time limit of the parties or the carrier ends. */
const AT_END = {
  response: 'endResponse',
  appeal: 'endAppeal',
  return_shipping: 'endReturnShipping',
  return_arrival: 'endReturnArrival',
  return_check: 'endReturnCheck',
} as const satisfies Partial<Record<DisputeClock, CaseCommand['type']>>

/** Sends the reminders of time limits, and does what is due when they end. A mediator's time limit is escalated and decides nothing. */
@Injectable()
export class CaseClocksTimer implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly clocks: CaseClocksRepository,
    private readonly cases: CasesRepository,
    private readonly settlements: SettlementsService,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: 'dispute-clock',
      upcoming: (aheadMs, limit) => this.clocks.listDue(aheadMs, limit),
      fire: id => this.fire(id),
    })
  }

  /** Does what is due about a time limit. Does nothing when it is not due, or was ended meanwhile. */
  async fire(id: string): Promise<void> {
    const clock = await this.clocks.findDue(id)
    if (!clock) return
    try {
      if (!clock.isOver) await this.clocks.recordReminder(id, clock.disputeId, turnOfClock)
      else if (MEDIATORS_CLOCKS.has(clock.kind)) await this.clocks.recordEscalation(id, clock.disputeId, turnOfClock)
      else await this.end(id, clock)
    } catch (error) {
      // Escrow is being asked about this dispute. Its answer decides what becomes of the time limit.
      if (!(error instanceof DomainError) || error.code !== 'DISPUTE_WRONG_STATE') throw error
      await this.clocks.postpone(id)
    }
  }

  private async end(id: string, { disputeId, kind }: DueClock): Promise<void> {
    await this.cases.change(disputeId, (dispute, given) => {
      const running = dispute.clocks.find(clock => clock.id === id)
      // The time limits may have been stopped meanwhile, because the buyer's bank decides.
      if (!running || dispute.waitsForBank || running.dueAt > given.clocksEndUntil) return null
      const actor = { role: 'clock', userId: null } as const
      return { actor, change: decide(dispute, { type: AT_END[kind as keyof typeof AT_END] }, { ...given, ...actor }) }
    })
    const row = await this.cases.get(disputeId)
    if (row.step === 'settling') await this.settlements.post(row)
  }
}
