import { disputeClosed, disputeProgressed, disputeWithdrawn } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import {
  DISPUTE_REMINDER_DAYS,
  type DisputeClock,
  type DisputeRole,
  type DisputeStep,
  type DisputeTurn,
} from '@holdfast/kernel/disputes'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import type { EntityManager } from 'typeorm'
import { isWithBank } from './bank-wait.js'
import { DisputeEntity } from './dispute.entity.js'
import type { Case, CaseChange, CaseStep } from './domain/case.js'
import { clocksAfter } from './domain/clocks.js'
import type { ActorRole } from './domain/life.js'

/** Who takes a step. */
export interface Actor {
  readonly role: ActorRole
  readonly userId: string | null
}

/** A step to record. */
interface TakenStep extends CaseStep {
  /** What a mediator wrote. */
  readonly note?: string | null
  readonly actor: Actor
  readonly now: Date
  /** The time limit that the step is about. */
  readonly about?: { readonly clock: DisputeClock; readonly turn: DisputeTurn; readonly dueAt: Date }
}

/** Writes a step into the history, with the event by which both parties are notified. */
export async function recordStep(manager: EntityManager, dispute: Case, taken: TakenStep): Promise<void> {
  const { step, refundMinor = null, ruling = null, note = null, actor, now, about } = taken
  const by = roleInHistory(actor.role)
  await writeHistory(manager, dispute.id, { step, by, userId: actor.userId, refundMinor, note, at: now })
  const { id: disputeId, transactionId, buyerId, sellerId, currency, title } = dispute
  const payload = {
    disputeId,
    transactionId,
    buyerId,
    sellerId,
    title,
    step,
    by,
    refund: refundMinor === null ? null : formatAmount(refundMinor, currency),
    currency,
    clock: about?.clock ?? null,
    turn: about?.turn ?? ('none' as const),
    dueAt: about?.dueAt.toISOString() ?? null,
    ruling,
  }
  await appendToOutbox(manager, newEvent(disputeProgressed, disputeId, payload, now))
}

function roleInHistory(role: ActorRole) {
  return role === 'clock' || role === 'escrow' ? ('system' as const) : role
}

/** One step of a dispute, as the history keeps it. */
interface HistoryEntry {
  readonly step: DisputeStep
  readonly by: DisputeRole | 'carrier' | 'system'
  readonly userId: string | null
  readonly refundMinor?: bigint | null
  readonly note?: string | null
  readonly at: Date
}

export async function writeHistory(manager: EntityManager, disputeId: number, entry: HistoryEntry): Promise<void> {
  const { step, by, userId, refundMinor = null, note = null, at } = entry
  await manager.query(
    'INSERT INTO history (id, dispute_id, step, role, user_id, refund_minor, at, note) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [newId(), disputeId, step, by, userId, refundMinor?.toString() ?? null, at, note],
  )
}

/**
 * Ends and starts time limits. A reminder wakes each one a day before it ends, if it runs for longer. While the buyer's bank decides, a
 * time limit that starts is stopped from its beginning.
 */
export async function writeClocks(
  manager: EntityManager,
  disputeId: number,
  { started, ended }: CaseChange['clocks'],
  { now, daySeconds, waitsForBank }: ClockTimes,
): Promise<void> {
  if (ended.length > 0)
    await manager.query(
      'UPDATE dispute_clock SET ended_at = $3, wake_at = NULL WHERE dispute_id = $1 AND kind = ANY($2) AND ended_at IS NULL',
      [disputeId, ended, now],
    )
  for (const { id, kind, dueAt } of started) {
    const remindAt = new Date(dueAt.getTime() - DISPUTE_REMINDER_DAYS * daySeconds * 1000)
    const wakeAt = remindAt > now ? remindAt : dueAt
    await manager.query(
      `INSERT INTO dispute_clock (id, dispute_id, kind, started_at, due_at, wake_at, stopped_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, disputeId, kind, now, dueAt, ...(waitsForBank ? [null, now] : [wakeAt, null])],
    )
  }
}

/** What time limits are started with. */
interface ClockTimes {
  readonly now: Date
  readonly daySeconds: number
  readonly waitsForBank: boolean
}

/** Starts the time limits of a dispute, in the dbTx that opens it. */
export async function startClocks(manager: EntityManager, disputeId: number, daySeconds: number): Promise<void> {
  const now = await databaseTime(manager)
  const clocks = clocksAfter({ clocks: [] }, 'open', [], { now, daySeconds, newId })
  await writeClocks(manager, disputeId, clocks, { now, daySeconds, waitsForBank: await isWithBank(manager, disputeId) })
}

/** How a dispute ended. */
interface Closing extends Pick<HistoryEntry, 'by' | 'userId'> {
  readonly step: 'closed' | 'withdrawn'
  /** The words that both parties read; null when the dispute has none. */
  readonly resolution: string | null
  readonly now: Date
}

/**
 * Closes a dispute with its time limits and its open proposals, and writes its history and its event.
 *
 * @param manager the dbTx that has locked the dispute's row
 */
export async function closeDispute(manager: EntityManager, dispute: DisputeEntity, closing: Closing): Promise<void> {
  const { id } = dispute
  const { step, resolution, by, userId, now } = closing
  await manager.update(
    DisputeEntity,
    { id },
    { status: 'closed', stage: 'closed', step: 'settled', retryAt: null, resolution, updatedAt: now },
  )
  await endCase(manager, id)
  await writeHistory(manager, id, { step, by, userId, at: now })
  const event = step === 'withdrawn' ? disputeWithdrawn : disputeClosed
  await appendToOutbox(manager, newEvent(event, id, factsOf(dispute), now))
}

async function endCase(manager: EntityManager, disputeId: number): Promise<void> {
  await manager.query(
    'UPDATE dispute_clock SET ended_at = now(), wake_at = NULL WHERE dispute_id = $1 AND ended_at IS NULL',
    [disputeId],
  )
  await manager.query(`UPDATE proposal SET state = 'ended' WHERE dispute_id = $1 AND state = 'open'`, [disputeId])
}

/** The facts that every event of a dispute carries. @throws Error for a dispute that was never open */
export function factsOf({ id, transactionId, buyerId, sellerId }: DisputeEntity) {
  if (!buyerId || !sellerId) throw new Error(`dispute ${id} has no parties`)
  return { disputeId: id, transactionId, buyerId, sellerId }
}
