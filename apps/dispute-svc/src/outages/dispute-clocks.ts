import type { Outage } from '@holdfast/service-kit/outages/heartbeat'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { readFacts, toCase } from '../cases/case-rows.js'
import { DisputeEntity } from '../cases/dispute.entity.js'
import { recordStep } from '../cases/write-case.js'

/** A dispute with time limits that ran while no replica could act. */
export interface DisputeInOutage {
  readonly id: number
}

/**
 * Finds and extends the time limits that ran during an outage: the parties' and the mediators' alike. A mediator could not work
 * on the case either. If only the parties' limits were extended, every case would be escalated after a long outage, and the parties
 * would read that a mediator is late, although that is not so.
 */
@Injectable()
export class DisputeClocks {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The disputes with a time limit that the outage is to extend, in the order of their ids. */
  async disputesIn({ beganAt, endedAt }: Outage, afterId: number, limit: number): Promise<DisputeInOutage[]> {
    const rows: { id: string }[] = await this.dataSource.query(DISPUTES_IN_OUTAGE, [beganAt, endedAt, afterId, limit])
    return rows.map(({ id }) => ({ id: Number(id) }))
  }

  /**
   * Extends the time limits of one dispute, and notifies both parties, also while escrow is asked about it: if escrow refuses, the
   * limits go on.
   *
   * @returns how many were extended: 0 when another replica was first
   */
  extend(id: number, { beganAt, endedAt }: Outage): Promise<number> {
    return this.dataSource.transaction(async manager => {
      const row = await manager.findOneOrFail(DisputeEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      const [extended]: [{ at: Date }[], number] = await manager.query(EXTEND, [id, beganAt, endedAt])
      if (!extended[0]) return 0
      const dispute = toCase(row, await readFacts(manager, id))
      const actor = { role: 'clock', userId: null } as const
      await recordStep(manager, dispute, { step: 'time_extended', actor, now: extended[0].at })
      return extended.length
    })
  }
}

/**
 * SQL: the time limit `c` ran during the outage, was not due before it, and has not been extended by it yet. `extended_at` is never
 * before the outage's end, so a limit is extended once, also when the database's clock is set back. The time after `stopped_at` is
 * given back when the limit goes on.
 */
const RAN = (beganAt: string, endedAt: string) =>
  `c.ended_at IS NULL AND c.escalated_at IS NULL AND c.due_at > ${beganAt}
     AND greatest(c.started_at, c.extended_at) < ${endedAt}
     AND (c.stopped_at IS NULL OR c.stopped_at > greatest(${beganAt}, c.started_at, c.extended_at))`

const DISPUTES_IN_OUTAGE = `SELECT DISTINCT c.dispute_id AS id FROM dispute_clock c
  WHERE ${RAN('$1', '$2')} AND c.dispute_id > $3 ORDER BY 1 LIMIT $4`

// The part of the outage in which it ran, in seconds: days would not all have 24 hours in the time zone of a session.
const LOST = `extract(epoch FROM least($3::timestamptz, c.stopped_at) - greatest($2::timestamptz, c.started_at, c.extended_at))::float * interval '1 second'`

// The reminder moves with the end.
const EXTEND = `UPDATE dispute_clock c SET due_at = c.due_at + ${LOST}, wake_at = c.wake_at + ${LOST}, extended_at = t.at
  FROM (SELECT greatest(date_trunc('milliseconds', clock_timestamp()), $3::timestamptz) AS at) t
  WHERE c.dispute_id = $1 AND ${RAN('$2::timestamptz', '$3::timestamptz')} RETURNING t.at`
