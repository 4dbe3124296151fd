import { disputeTimeChanged } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { DISPUTE_REMINDER_DAYS } from '@holdfast/kernel/disputes'
import type { EntityManager } from 'typeorm'
import { DisputeEntity } from './dispute.entity.js'
import { factsOf, writeHistory } from './write-case.js'

/**
 * Stops the time limits of a deal's open dispute while the buyer's bank decides, and lets them go on afterwards with the time that was
 * left. It does what `bank_decision` says now, so a repetition changes nothing. A dispute that is being posted is
 * stopped as well: escrow may refuse, and then the case goes on.
 *
 * @param manager the dbTx that has recorded the decision
 */
export async function syncWithBank(manager: EntityManager, transactionId: number, daySeconds: number): Promise<void> {
  const rows: { id: string }[] = await manager.query(OPEN, [transactionId])
  // The dispute is locked, so this reads what was recorded last.
  for (const { id } of rows) {
    const stopped = await changed(manager, STOP, [id])
    if (stopped) await record(manager, Number(id), 'time_stopped', stopped)
    const resumed = await changed(manager, RESUME, [id, DISPUTE_REMINDER_DAYS * daySeconds])
    if (resumed) await record(manager, Number(id), 'time_resumed', resumed)
  }
}

/** The time of a change of time limits; null when it changed none. */
async function changed(manager: EntityManager, text: string, values: readonly unknown[]): Promise<Date | null> {
  const [rows]: [{ at: Date }[], number] = await manager.query(text, [...values])
  return rows[0]?.at ?? null
}

/** Writes the step into the history, with the event by which open pages of the case are refreshed. */
async function record(manager: EntityManager, id: number, step: 'time_stopped' | 'time_resumed', at: Date) {
  const dispute = await manager.findOneByOrFail(DisputeEntity, { id })
  await writeHistory(manager, id, { step, by: 'system', userId: null, at })
  await appendToOutbox(manager, newEvent(disputeTimeChanged, id, factsOf(dispute), at))
}

const OPEN = `SELECT id FROM dispute WHERE transaction_id = $1 AND status <> 'closed' AND opened_at IS NOT NULL FOR UPDATE`

const NOW = `(SELECT date_trunc('milliseconds', clock_timestamp()) AS at) t`

// A time limit stops at the time of the chargeback, also when its event arrives later. Time that was given back after an outage is not
// given back twice.
const STOP = `UPDATE dispute_clock c SET stopped_at = greatest(b.pending_since, c.started_at, c.extended_at), wake_at = NULL
  FROM dispute d JOIN bank_decision b ON b.transaction_id = d.transaction_id CROSS JOIN ${NOW}
  WHERE d.id = $1 AND c.dispute_id = d.id AND b.pending_since IS NOT NULL AND c.ended_at IS NULL AND c.stopped_at IS NULL
  RETURNING t.at`

// The stop in seconds: days would not all have 24 hours in the time zone of a session.
const LATER = `c.due_at + greatest(0, extract(epoch FROM t.at - c.stopped_at))::float * interval '1 second'`

// If the new end lies in the future, the reminder and the escalation happen again.
const RESUME = `UPDATE dispute_clock c SET stopped_at = NULL, due_at = n.due_at, extended_at = greatest(c.extended_at, n.at),
    escalated_at = CASE WHEN n.due_at <= n.at THEN c.escalated_at END,
    reminded_at = CASE WHEN n.remind_at <= n.at THEN c.reminded_at END,
    wake_at = CASE WHEN n.due_at <= n.at AND c.escalated_at IS NOT NULL THEN NULL
      WHEN n.remind_at <= n.at AND c.reminded_at IS NOT NULL THEN n.due_at ELSE n.remind_at END
  FROM (SELECT c.id, t.at, ${LATER} AS due_at, ${LATER} - $2 * interval '1 second' AS remind_at
    FROM dispute_clock c JOIN dispute d ON d.id = c.dispute_id CROSS JOIN ${NOW}
    WHERE d.id = $1 AND c.ended_at IS NULL AND c.stopped_at IS NOT NULL AND NOT EXISTS (SELECT FROM bank_decision b
      WHERE b.transaction_id = d.transaction_id AND b.pending_since IS NOT NULL)) n
  WHERE c.id = n.id RETURNING n.at`
