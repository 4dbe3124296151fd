import { APPROVAL_DAYS } from '@holdfast/kernel/admin'
import type { EntityManager } from 'typeorm'
import { DisputeEntity } from './dispute.entity.js'
import { type Case, type CaseChange, STEPS_WITH_NOTES } from './domain/case.js'
import { STATUS_IN } from './domain/stages.js'
import { retrySoon } from './retry-soon.js'
import { comparedNumber } from './returns.repository.js'
import { type Actor, recordStep, writeClocks } from './write-case.js'

/** A change that was decided, and who asked for it. */
export interface Decided {
  readonly change: CaseChange
  readonly actor: Actor
}

/** Writes a change of a case, its history and its events. The caller has locked the dispute's row. */
export async function writeChange(
  manager: EntityManager,
  dispute: Case,
  { change, actor }: Decided,
  { now, daySeconds }: { readonly now: Date; readonly daySeconds: number },
): Promise<void> {
  await writeDispute(manager, dispute, change, now)
  await writeClocks(manager, dispute.id, change.clocks, { now, daySeconds, waitsForBank: dispute.waitsForBank })
  await writeProposals(manager, dispute.id, change, now)
  await writeRulings(manager, dispute.id, change, now)
  await writeRulingRequests(manager, dispute.id, change, { now, daySeconds })
  await writeReturn(manager, dispute.id, change, now)
  for (const step of change.steps) {
    const note = STEPS_WITH_NOTES.includes(step.step) ? (change.adminNotes ?? null) : null
    await recordStep(manager, dispute, { ...step, note, actor, now })
  }
}

async function writeDispute(manager: EntityManager, dispute: Case, change: CaseChange, now: Date): Promise<void> {
  const { stage, adminNotes, settlement } = change
  await manager.update(
    DisputeEntity,
    { id: dispute.id },
    {
      stage,
      ...(stage !== 'settling' && { status: STATUS_IN[stage] }),
      ...(adminNotes !== undefined && { adminNotes }),
      ...(settlement && {
        stageBefore: dispute.stage,
        step: 'settling' as const,
        settleRefundMinor: settlement.refundMinor,
        settleHeldMinor: settlement.heldMinor,
        settleCause: settlement.cause,
        settleBy: settlement.by,
        settleResolution: settlement.resolution,
        retryAt: retrySoon,
      }),
      updatedAt: now,
    },
  )
}

async function writeProposals(
  manager: EntityManager,
  id: number,
  { proposal, closedProposals = [] }: CaseChange,
  now: Date,
): Promise<void> {
  for (const closed of closedProposals)
    await manager.query('UPDATE proposal SET state = $2 WHERE id = $1', [closed.id, closed.state])
  if (proposal)
    await manager.query(
      `INSERT INTO proposal (id, dispute_id, by, refund_minor, held_minor, state, at) VALUES ($1, $2, $3, $4, $5, 'open', $6)`,
      [proposal.id, id, proposal.by, proposal.refundMinor.toString(), proposal.heldMinor?.toString() ?? null, now],
    )
}

async function writeRulings(
  manager: EntityManager,
  id: number,
  { ruling, waiver, appeal }: CaseChange,
  now: Date,
): Promise<void> {
  if (ruling) {
    const { outcome, refundMinor, heldMinor, resolution, mediatorId, approvedBy, isOnAppeal } = ruling
    const amounts = [refundMinor, heldMinor].map(minor => minor?.toString() ?? null)
    await manager.query(
      `INSERT INTO ruling (id, dispute_id, outcome, refund_minor, held_minor, resolution, mediator_id, approved_by, is_on_appeal, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [ruling.id, id, outcome, ...amounts, resolution, mediatorId, approvedBy, isOnAppeal, now],
    )
  }
  if (waiver)
    await manager.query('INSERT INTO waiver (ruling_id, by, at) VALUES ($1, $2, $3)', [waiver.rulingId, waiver.by, now])
  if (appeal) {
    const values = [id, appeal.by, appeal.reason, now]
    await manager.query('INSERT INTO appeal (dispute_id, by, reason, at) VALUES ($1, $2, $3, $4)', values)
  }
}

async function writeRulingRequests(
  manager: EntityManager,
  id: number,
  { askedRuling, decidedRuling, ruling }: CaseChange,
  { now, daySeconds }: { readonly now: Date; readonly daySeconds: number },
): Promise<void> {
  if (decidedRuling)
    await manager.query(
      `UPDATE ruling_request SET state = $2, decision_id = $3, decided_by = $4, decided_at = $5, decision_reason = $6
       WHERE id = $1`,
      [
        ...[decidedRuling.requestId, decidedRuling.state, decidedRuling.id],
        ...[decidedRuling.by, now, decidedRuling.reason],
      ],
    )
  // A ruling that needs no second admin, because a part was refunded meanwhile, also takes the place of the one that waits.
  if (askedRuling || ruling)
    await manager.query(`UPDATE ruling_request SET state = 'expired' WHERE dispute_id = $1 AND state = 'waiting'`, [id])
  if (!askedRuling) return
  const { outcome, resolution, askedBy, refundMinor, heldMinor, amountMinor } = askedRuling
  const amounts = [refundMinor, heldMinor, amountMinor].map(minor => minor?.toString() ?? null)
  const expiresAt = new Date(now.getTime() + APPROVAL_DAYS * daySeconds * 1000)
  await manager.query(
    `INSERT INTO ruling_request (id, dispute_id, outcome, refund_minor, held_minor, amount_minor, resolution, asked_by, asked_at,
       expires_at, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting')`,
    [askedRuling.id, id, outcome, ...amounts, resolution, askedBy, now, expiresAt],
  )
}

async function writeReturn(
  manager: EntityManager,
  id: number,
  { shipment, returnDelivered, contest }: CaseChange,
  now: Date,
): Promise<void> {
  // A corrected number is another parcel, of which older scans must not count.
  if (shipment)
    await manager.query(
      `INSERT INTO return_parcel (dispute_id, tracking_number, carrier, shipped_at, poll_at) VALUES ($1, $2, $3, $4, now())
       ON CONFLICT (dispute_id) DO UPDATE SET tracking_number = excluded.tracking_number, carrier = excluded.carrier,
         poll_at = excluded.poll_at, shipped_at = CASE
           WHEN ${comparedNumber('excluded.tracking_number')} = ${comparedNumber('return_parcel.tracking_number')}
           THEN return_parcel.shipped_at ELSE excluded.shipped_at END`,
      [id, shipment.trackingNumber, shipment.carrier, now],
    )
  if (returnDelivered)
    await manager.query('UPDATE return_parcel SET delivered_at = $2 WHERE dispute_id = $1', [id, now])
  if (contest) {
    const values = [id, now, contest.reason]
    await manager.query('UPDATE return_parcel SET contested_at = $2, contest_reason = $3 WHERE dispute_id = $1', values)
  }
}
