import { assert } from '@holdfast/kernel/assert'
import type { DisputeClock, DisputeRole, DisputeStep, ProposalState, RulingOutcome } from '@holdfast/kernel/disputes'
import type { EntityManager } from 'typeorm'
import type { DisputeEntity } from './dispute.entity.js'
import type { Case, CaseRuling, Party } from './domain/case.js'

export interface EvidenceRow {
  readonly n: number
  readonly author_id: string
  readonly role: Party
  readonly note: string
  readonly images: readonly string[]
  readonly at: Date
  readonly sha256: string
  readonly previous_sha256: string | null
}
export interface ProposalRow {
  readonly id: string
  readonly by: Party
  readonly refund_minor: string
  readonly state: ProposalState
  readonly at: Date
}
export interface RulingRow {
  readonly id: string
  readonly outcome: RulingOutcome
  readonly refund_minor: string | null
  readonly resolution: string
  readonly mediator_id: string
  readonly is_on_appeal: boolean
  readonly at: Date
  readonly waived_by: Party[]
}
export interface ReturnRow {
  readonly tracking_number: string
  readonly carrier: string | null
  readonly shipped_at: Date
  readonly delivered_at: Date | null
  readonly contested_at: Date | null
  readonly contest_reason: string | null
}
export interface HistoryRow {
  readonly id: string
  readonly step: DisputeStep
  readonly role: DisputeRole | 'carrier' | 'system'
  readonly refund_minor: string | null
  readonly at: Date
}
export interface ClockRow {
  readonly id: string
  readonly kind: DisputeClock
  readonly due_at: Date
  readonly escalated_at: Date | null
}

/** Every row of a case beside the dispute's own, in the order in which they were written. */
export interface CaseRows {
  readonly clocks: readonly ClockRow[]
  readonly evidence: readonly EvidenceRow[]
  readonly proposals: readonly ProposalRow[]
  readonly rulings: readonly RulingRow[]
  readonly appeal: { readonly by: Party; readonly reason: string; readonly at: Date } | null
  readonly parcel: ReturnRow | null
  readonly history: readonly HistoryRow[]
}

const RULINGS = `SELECT r.*, coalesce(array_agg(w.by ORDER BY w.at) FILTER (WHERE w.by IS NOT NULL), '{}') AS waived_by
  FROM ruling r LEFT JOIN waiver w ON w.ruling_id = r.id WHERE r.dispute_id = $1 GROUP BY r.id ORDER BY r.at`

/** Reads every row of a case. */
export async function readRows(manager: EntityManager, id: number): Promise<CaseRows> {
  const of = (text: string) => manager.query(text, [id])
  const [appeal] = await of('SELECT by, reason, at FROM appeal WHERE dispute_id = $1')
  const [parcel] = await of('SELECT * FROM return_parcel WHERE dispute_id = $1')
  return {
    clocks: await of('SELECT * FROM dispute_clock WHERE dispute_id = $1 AND ended_at IS NULL ORDER BY due_at'),
    evidence: await of('SELECT * FROM evidence WHERE dispute_id = $1 ORDER BY n'),
    proposals: await of('SELECT * FROM proposal WHERE dispute_id = $1 ORDER BY at'),
    rulings: await of(RULINGS),
    appeal: appeal ?? null,
    parcel: parcel ?? null,
    history: await of('SELECT * FROM history WHERE dispute_id = $1 ORDER BY at, id'),
  }
}

/** What the rules read of a case. @throws Error for a filing that escrow has not answered: it has no case yet */
export async function readCase(manager: EntityManager, row: DisputeEntity): Promise<Case> {
  return toCase(row, await readRows(manager, row.id))
}

export function toCase(row: DisputeEntity, rows: CaseRows): Case {
  const { id, transactionId, stage, stageBefore, buyerId, sellerId, reporterId, reason, title, currency } = row
  assert(buyerId && sellerId && title !== null && currency, `dispute ${id} was never open`)
  const count = (of: readonly { by?: Party; role?: Party }[], party: Party) =>
    of.filter(each => (each.by ?? each.role) === party).length
  return {
    id,
    transactionId,
    title,
    stage,
    stageBefore,
    buyerId,
    sellerId,
    reporterId,
    reason,
    currency,
    createdAt: row.createdAt,
    clocks: rows.clocks.map(({ id, kind, due_at, escalated_at }) => ({
      id,
      kind,
      dueAt: due_at,
      escalatedAt: escalated_at,
    })),
    proposals: rows.proposals
      .filter(({ state }) => state === 'open')
      .map(({ id, by, refund_minor }) => ({ id, by, refundMinor: BigInt(refund_minor) })),
    ruling: toRuling(rows.rulings.at(-1)),
    returnContested: rows.parcel?.contested_at != null,
    evidenceOf: { buyer: count(rows.evidence, 'buyer'), seller: count(rows.evidence, 'seller') },
    proposalsOf: { buyer: count(rows.proposals, 'buyer'), seller: count(rows.proposals, 'seller') },
  }
}

function toRuling(row: RulingRow | undefined): CaseRuling | null {
  if (!row) return null
  const { id, outcome, refund_minor, resolution, mediator_id, waived_by } = row
  const refundMinor = refund_minor === null ? null : BigInt(refund_minor)
  return { id, outcome, refundMinor, resolution, mediatorId: mediator_id, waivedBy: waived_by }
}
