import type { DisputeClock, DisputeTurn } from '@holdfast/kernel/disputes'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { mayEndWithin } from '@holdfast/service-kit/outages/heartbeat'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import { CLOCKS_END_UNTIL, lockCase } from './case-rows.js'
import type { Case } from './domain/case.js'
import { retrySoon } from './retry-soon.js'
import { recordStep } from './write-case.js'

/** A time limit that is due, or whose reminder is. */
export interface DueClock {
  readonly disputeId: number
  readonly kind: DisputeClock
  /** False while only its reminder is due. */
  readonly isOver: boolean
}

/**
 * Reads the time limits of disputes, and records reminders and escalations. `writeClocks` starts and ends them. After an outage
 * nothing is due until every time limit that ran is extended by it (`outages/`). A time limit that is stopped has no `wake_at`.
 */
@Injectable()
export class CaseClocksRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The time limits that are due within a time from now, or whose reminder is. The earliest comes first. */
  async listDue(aheadMs: number, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    return this.dataSource.query(
      `SELECT c.id, c.wake_at AS "dueAt" FROM dispute_clock c JOIN dispute d ON d.id = c.dispute_id
       WHERE c.ended_at IS NULL AND ${mayEndWithin('c.wake_at', 'dispute', '$1')} AND d.status <> 'closed'
       ORDER BY c.wake_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  /** A time limit, if it or its reminder is due now. */
  async findDue(id: string): Promise<DueClock | null> {
    const [row]: { dispute_id: string; kind: DisputeClock; is_over: boolean }[] = await this.dataSource.query(
      `SELECT dispute_id, kind, due_at <= ${CLOCKS_END_UNTIL} AS is_over FROM dispute_clock
       WHERE id = $1 AND ended_at IS NULL AND stopped_at IS NULL AND wake_at <= ${CLOCKS_END_UNTIL}`,
      [id],
    )
    return row ? { disputeId: Number(row.dispute_id), kind: row.kind, isOver: row.is_over } : null
  }

  /**
   * Records that a time limit ends soon, and notifies the parties, once. Does nothing for a time limit that has ended meanwhile.
   *
   * @param turnOf who must act before it ends
   * @throws DomainError `DISPUTE_WRONG_STATE` while escrow is asked about the dispute
   */
  recordReminder(id: string, disputeId: number, turnOf: TurnOf): Promise<void> {
    return this.record(id, disputeId, { step: 'reminded', mark: MARK_REMINDED, turnOf })
  }

  /** Records that a mediator's time limit has passed. Otherwise as `recordReminder`. */
  recordEscalation(id: string, disputeId: number, turnOf: TurnOf): Promise<void> {
    return this.record(id, disputeId, { step: 'escalated', mark: MARK_ESCALATED, turnOf })
  }

  /** Makes a time limit due again soon, because nothing could be done about it now. */
  async postpone(id: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE dispute_clock SET wake_at = ${retrySoon()} WHERE id = $1 AND ended_at IS NULL AND stopped_at IS NULL`,
      [id],
    )
  }

  private async record(id: string, disputeId: number, { step, mark, turnOf }: ClockStep): Promise<void> {
    await this.dataSource.transaction(async (manager: EntityManager) => {
      const dispute = await lockCase(manager, disputeId)
      const [[clock]]: [{ kind: DisputeClock; due_at: Date }[], number] = await manager.query(mark, [id])
      if (!clock) return
      const actor = { role: 'clock', userId: null } as const
      const about = { clock: clock.kind, turn: turnOf(dispute, clock.kind), dueAt: clock.due_at }
      await recordStep(manager, dispute, { step, actor, now: await databaseTime(manager), about })
    })
  }
}

type TurnOf = (dispute: Case, kind: DisputeClock) => DisputeTurn

interface ClockStep {
  readonly step: 'reminded' | 'escalated'
  /** Marks the time limit, unless it was marked before. */
  readonly mark: string
  readonly turnOf: TurnOf
}

const MARK_REMINDED = `UPDATE dispute_clock SET reminded_at = now(), wake_at = due_at
  WHERE id = $1 AND ended_at IS NULL AND reminded_at IS NULL AND wake_at <= ${CLOCKS_END_UNTIL} RETURNING kind, due_at`
const MARK_ESCALATED = `UPDATE dispute_clock SET escalated_at = now(), wake_at = NULL
  WHERE id = $1 AND ended_at IS NULL AND stopped_at IS NULL AND escalated_at IS NULL AND due_at <= ${CLOCKS_END_UNTIL} RETURNING kind, due_at`
