import { assert } from '@holdfast/kernel/assert'
import type { DisputeClock, DisputeRole, DisputeStep, ProposalState, RulingOutcome } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { clocksEndUntil } from '@holdfast/service-kit/outages/heartbeat'
import type { EntityManager } from 'typeorm'
import { WITH_BANK } from './bank-wait.js'
import { DisputeEntity, isWithEscrow } from './dispute.entity.js'
import { type Case, type CaseRuling, type CaseRulingRequest, type Party, TAKING_STEPS } from './domain/case.js'

/** A time limit may be ended if it was due by this time. */
export const CLOCKS_END_UNTIL = clocksEndUntil('dispute')

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
interface EvidenceCountRow {
  readonly role: Party
  readonly n: number
}
interface ProposalRow {
  readonly id: string
  readonly by: Party
  readonly refund_minor: string
  readonly held_minor: string | null
  readonly state: ProposalState
  readonly at: Date
}
interface RulingRow {
  readonly id: string
  readonly outcome: RulingOutcome
  readonly refund_minor: string | null
  readonly held_minor: string | null
  readonly resolution: string
  readonly mediator_id: string
  readonly approved_by: string | null
  readonly is_on_appeal: boolean
  readonly at: Date
  readonly waived_by: Party[]
}
interface RulingRequestRow {
  readonly id: string
  readonly outcome: RulingOutcome
  readonly refund_minor: string | null
  readonly held_minor: string | null
  readonly amount_minor: string
  readonly resolution: string
  readonly asked_by: string
  readonly asked_at: Date
  readonly expires_at: Date
}
interface AppealRow {
  readonly by: Party
  readonly reason: string
  readonly at: Date
}
interface ReturnRow {
  readonly tracking_number: string
  readonly carrier: string | null
  readonly shipped_at: Date
  readonly delivered_at: Date | null
  readonly contested_at: Date | null
  readonly contest_reason: string | null
}
interface HistoryRow {
  readonly id: string
  readonly step: DisputeStep
  readonly role: DisputeRole | 'carrier' | 'system'
  readonly refund_minor: string | null
  readonly at: Date
}
interface ClockRow {
  readonly id: string
  readonly kind: DisputeClock
  readonly due_at: Date
  readonly escalated_at: Date | null
}

/** The rows from which the rules of a case decide, in the order in which they were written. */
export interface CaseFacts {
  readonly clocks: readonly ClockRow[]
  readonly evidenceCounts: readonly EvidenceCountRow[]
  readonly proposals: readonly ProposalRow[]
  readonly rulings: readonly RulingRow[]
  /** The ruling that waits for a second admin. */
  readonly rulingRequest: RulingRequestRow | null
  readonly parcel: ReturnRow | null
  /** When the ruling was appealed. */
  readonly appealedAt: Date | null
  /** How many times the buyer has named a parcel of the return. */
  readonly returnShipments: number
  /** The mediator who took the case last. After an appeal, only a mediator who has taken it since then counts. */
  readonly takenBy: string | null
  readonly waitsForBank: boolean
}

/** The rows that only the page of a case shows, in the order in which they were written. */
export interface CaseRecords {
  readonly evidence: readonly EvidenceRow[]
  readonly appeal: AppealRow | null
  readonly history: readonly HistoryRow[]
}

/** A dispute that was opened: its row, and its case as the rules see it. */
export interface OpenedDispute {
  readonly row: DisputeEntity
  readonly dispute: Case
}

/** The rows of a table of many cases, by the id of their dispute. */
type Grouped<R> = ReadonlyMap<number, readonly R[]>

const RULINGS = `SELECT r.*, coalesce(array_agg(w.by ORDER BY w.at) FILTER (WHERE w.by IS NOT NULL), '{}') AS waived_by
  FROM ruling r LEFT JOIN waiver w ON w.ruling_id = r.id WHERE r.dispute_id = ANY($1) GROUP BY r.id ORDER BY r.at`

/** Reads the facts of many cases, by the id of their dispute. */
export async function readFactsOf(
  manager: EntityManager,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CaseFacts>> {
  const read = async <R>(text: string): Promise<Grouped<R>> => {
    const rows: (R & { dispute_id: string })[] = await manager.query(text, [ids])
    const grouped = new Map<number, R[]>(ids.map(id => [id, []]))
    for (const row of rows) grouped.get(Number(row.dispute_id))!.push(row)
    return grouped
  }
  const clocks = await read<ClockRow>(
    'SELECT * FROM dispute_clock WHERE dispute_id = ANY($1) AND ended_at IS NULL ORDER BY due_at',
  )
  const evidenceCounts = await read<EvidenceCountRow>(
    'SELECT dispute_id, role, count(*)::integer AS n FROM evidence WHERE dispute_id = ANY($1) GROUP BY dispute_id, role',
  )
  const proposals = await read<ProposalRow>('SELECT * FROM proposal WHERE dispute_id = ANY($1) ORDER BY at')
  const rulings = await read<RulingRow>(RULINGS)
  const requests = await read<RulingRequestRow>(
    `SELECT * FROM ruling_request WHERE dispute_id = ANY($1) AND state = 'waiting'`,
  )
  const parcels = await read<ReturnRow>('SELECT * FROM return_parcel WHERE dispute_id = ANY($1)')
  const appeals = await read<{ readonly at: Date }>('SELECT dispute_id, at FROM appeal WHERE dispute_id = ANY($1)')
  const shipments = await read<{ readonly n: number }>(
    `SELECT dispute_id, count(*)::integer AS n FROM history WHERE dispute_id = ANY($1) AND step = 'return_shipped'
     GROUP BY dispute_id`,
  )
  const takers = await read<{ readonly user_id: string }>(
    `SELECT DISTINCT ON (dispute_id) dispute_id, user_id FROM history
     WHERE dispute_id = ANY($1) AND step IN (${TAKING_STEPS.map(step => `'${step}'`).join(', ')}) AND role = 'mediator'
       -- Another mediator decides about an appeal, so the case is taken anew.
       AND at >= coalesce((SELECT max(a.at) FROM appeal a WHERE a.dispute_id = history.dispute_id), '-infinity')
     ORDER BY dispute_id, at DESC, id DESC`,
  )
  const banks = await read(WITH_BANK)
  return new Map(
    ids.map(id => [
      id,
      {
        clocks: clocks.get(id) ?? [],
        evidenceCounts: evidenceCounts.get(id) ?? [],
        proposals: proposals.get(id) ?? [],
        rulings: rulings.get(id) ?? [],
        rulingRequest: requests.get(id)?.[0] ?? null,
        parcel: parcels.get(id)?.[0] ?? null,
        appealedAt: appeals.get(id)?.[0]?.at ?? null,
        returnShipments: shipments.get(id)?.[0]?.n ?? 0,
        takenBy: takers.get(id)?.[0]?.user_id ?? null,
        waitsForBank: banks.get(id)!.length > 0,
      },
    ]),
  )
}

/** Reads the facts of one case. */
export async function readFacts(manager: EntityManager, id: number): Promise<CaseFacts> {
  return (await readFactsOf(manager, [id])).get(id)!
}

/** Reads what only the page of a case shows. */
export async function readRecords(manager: EntityManager, id: number): Promise<CaseRecords> {
  const [appeal]: AppealRow[] = await manager.query('SELECT * FROM appeal WHERE dispute_id = $1', [id])
  return {
    evidence: await manager.query('SELECT * FROM evidence WHERE dispute_id = $1 ORDER BY n', [id]),
    appeal: appeal ?? null,
    history: await manager.query('SELECT * FROM history WHERE dispute_id = $1 ORDER BY at, id', [id]),
  }
}

/**
 * Locks a case until the dbTx ends, and reads it.
 *
 * @throws DomainError as `readCase`
 */
export async function lockCase(manager: EntityManager, id: number): Promise<Case> {
  return readCase(manager, await manager.findOne(DisputeEntity, { where: { id }, lock: { mode: 'pessimistic_write' } }))
}

/** What the rules read of a case before a change. @throws DomainError `NOT_FOUND`, `DISPUTE_WRONG_STATE` */
export async function readCase(manager: EntityManager, row: DisputeEntity | null): Promise<Case> {
  // A filing that escrow has not answered has no case yet.
  if (!row?.openedAt) throw new DomainError('NOT_FOUND')
  if (isWithEscrow(row)) throw new DomainError('DISPUTE_WRONG_STATE')
  return toCase(row, await readFacts(manager, row.id))
}

/** @throws Error for a filing that escrow has not answered: it has no case yet */
export function toCase(row: DisputeEntity, facts: CaseFacts): Case {
  const { id, transactionId, stage, buyerId, sellerId, reporterId, reason, title, currency } = row
  assert(buyerId && sellerId && title !== null && currency, `dispute ${id} was never open`)
  const evidenceOf = (party: Party) => facts.evidenceCounts.find(({ role }) => role === party)?.n ?? 0
  const proposalsOf = (party: Party) => facts.proposals.filter(({ by }) => by === party).length
  return {
    id,
    transactionId,
    title,
    stage,
    buyerId,
    sellerId,
    reporterId,
    reason,
    currency,
    createdAt: row.createdAt,
    clocks: facts.clocks.map(({ id, kind, due_at, escalated_at }) => ({
      id,
      kind,
      dueAt: due_at,
      escalatedAt: escalated_at,
    })),
    proposals: facts.proposals
      .filter(({ state }) => state === 'open')
      .map(({ id, by, refund_minor, held_minor }) => ({
        id,
        by,
        refundMinor: BigInt(refund_minor),
        heldMinor: toMinor(held_minor),
      })),
    ruling: toRuling(facts.rulings.at(-1)),
    takenBy: facts.takenBy,
    waitsForBank: facts.waitsForBank,
    appealedMediators: appealedMediatorsIn(facts),
    rulingRequest: toRequest(facts.rulingRequest),
    returnContested: facts.parcel?.contested_at != null,
    evidenceOf: { buyer: evidenceOf('buyer'), seller: evidenceOf('seller') },
    proposalsOf: { buyer: proposalsOf('buyer'), seller: proposalsOf('seller') },
    returnShipments: facts.returnShipments,
    returnNumber: facts.parcel?.tracking_number ?? null,
    returnCarrier: facts.parcel?.carrier ?? null,
  }
}

/** Who made and approved the latest ruling before the appeal. */
function appealedMediatorsIn({ rulings, appealedAt }: CaseFacts): readonly string[] {
  const appealed = appealedAt && rulings.filter(({ at }) => at <= appealedAt).at(-1)
  return appealed ? [appealed.mediator_id, appealed.approved_by].filter(id => id !== null) : []
}

function toRequest(row: RulingRequestRow | null): CaseRulingRequest | null {
  if (!row) return null
  const { id, outcome, refund_minor, held_minor, amount_minor, resolution, asked_by, expires_at } = row
  const amounts = {
    refundMinor: toMinor(refund_minor),
    heldMinor: toMinor(held_minor),
    amountMinor: BigInt(amount_minor),
  }
  return { id, outcome, ...amounts, resolution, askedBy: asked_by, expiresAt: expires_at }
}

function toRuling(row: RulingRow | undefined): CaseRuling | null {
  if (!row) return null
  const { id, outcome, refund_minor, held_minor, resolution, mediator_id, waived_by } = row
  const amounts = { refundMinor: toMinor(refund_minor), heldMinor: toMinor(held_minor) }
  return { id, outcome, ...amounts, resolution, mediatorId: mediator_id, waivedBy: waived_by }
}

const toMinor = (minor: string | null): bigint | null => (minor === null ? null : BigInt(minor))
