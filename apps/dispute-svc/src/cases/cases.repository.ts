import { disputeClosed, disputeProgressed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { assert } from '@holdfast/kernel/assert'
import { DISPUTE_STATUSES, type DisputeClock, type DisputeStatus, type DisputeTurn } from '@holdfast/kernel/disputes'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { answerOnce, findAnswer, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, In } from 'typeorm'
import type { DisputeConfig } from '../config.js'
import { type CaseRows, readCase, readRows, readRowsOf, toCase } from './case-rows.js'
import { DisputeEntity } from './dispute.entity.js'
import type { Case, CaseChange, CaseCircumstances, CaseStep } from './domain/case.js'
import { type ActorRole, STATUS_IN, type Stage } from './domain/life.js'
import { retrySoon } from './retry-soon.js'
import { CLOSED, endCase, factsOf, writeClocks, writeHistory } from './write-case.js'

/** Who takes a step. */
export interface Actor {
  readonly role: ActorRole
  readonly userId: string | null
}

/** Decides what changes on a case, and for whom; null for nothing. */
export type DecideCase = (dispute: Case, given: Omit<CaseCircumstances, 'role' | 'userId'>) => Decided | null
export interface Decided {
  readonly change: CaseChange
  readonly actor: Actor
}

/** Reads and writes cases. A change locks the dispute's row, and its event is written with it. */
@Injectable()
export class CasesRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: DisputeConfig,
  ) {}

  /**
   * Changes a case, once per idempotency key. `alsoWrite` writes more rows in the same dbTx.
   *
   * @throws DomainError `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, and what `decide` throws
   */
  async change<A = undefined>(
    id: number,
    decide: DecideCase,
    key: IdempotencyKey | null = null,
    alsoWrite?: (manager: EntityManager, dispute: Case, decided: Decided, now: Date) => Promise<A>,
  ): Promise<A | undefined> {
    const now = await databaseTime(this.dataSource)
    const work = async (manager: EntityManager): Promise<{ written: A | undefined }> => {
      const dispute = await this.lock(manager, id)
      const time = await databaseTime(manager)
      const decided = decide(dispute, { now: time, daySeconds: this.config.DAY_SECONDS, newId })
      if (!decided) return { written: undefined }
      await this.write(manager, dispute, decided, time)
      return { written: await alsoWrite?.(manager, dispute, decided, time) }
    }
    const { written } = await (key ? answerOnce(this.dataSource, key, now, work) : this.dataSource.transaction(work))
    return written
  }

  /**
   * What a change with this key has written; undefined for a new key.
   *
   * @throws DomainError `IDEMPOTENCY_KEY_REUSED`
   */
  async findWritten<A>(key: IdempotencyKey): Promise<A | undefined> {
    return (await findAnswer<{ written: A }>(this.dataSource, key))?.written
  }

  /**
   * Checks whether a change is allowed on the case as it is now, and writes nothing. It comes before costly work for the change.
   *
   * @throws DomainError as `change`
   */
  async check(id: number, decide: DecideCase): Promise<void> {
    const { manager } = this.dataSource
    const dispute = await readCase(manager, await manager.findOneBy(DisputeEntity, { id }))
    decide(dispute, { now: await databaseTime(manager), daySeconds: this.config.DAY_SECONDS, newId })
  }

  /** Whether a request with this key was answered before. @throws DomainError `IDEMPOTENCY_KEY_REUSED` */
  async isAnswered(key: IdempotencyKey | null): Promise<boolean> {
    return key !== null && (await findAnswer(this.dataSource, key)) !== undefined
  }

  /** The time limits to be woken, with the earliest first. */
  async dueClocks(aheadMs: number, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    return this.dataSource.query(
      `SELECT c.id, c.wake_at AS "dueAt" FROM dispute_clock c JOIN dispute d ON d.id = c.dispute_id
       WHERE c.ended_at IS NULL AND c.wake_at <= now() + $1 * interval '1 millisecond' AND d.status <> 'closed'
       ORDER BY c.wake_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  /** A time limit that is to be woken now; null when it is not. */
  async findDueClock(id: string): Promise<{ disputeId: number; kind: DisputeClock; isOver: boolean } | null> {
    const [row]: { dispute_id: string; kind: DisputeClock; is_over: boolean }[] = await this.dataSource.query(
      `SELECT dispute_id, kind, due_at <= now() AS is_over FROM dispute_clock
       WHERE id = $1 AND ended_at IS NULL AND wake_at <= now()`,
      [id],
    )
    return row ? { disputeId: Number(row.dispute_id), kind: row.kind, isOver: row.is_over } : null
  }

  /**
   * Tells the parties that a time limit ends soon, or that a mediator's has passed. A time limit that has ended meanwhile, or of
   * which they were told before, is left as it is.
   */
  async tell(
    id: number,
    clockId: string,
    step: 'reminded' | 'escalated',
    turnOf: (dispute: Case, kind: DisputeClock) => DisputeTurn,
  ): Promise<void> {
    await this.dataSource.transaction(async manager => {
      const dispute = await this.lock(manager, id)
      const [[clock]]: [{ kind: DisputeClock; due_at: Date }[], number] = await manager.query(
        step === 'reminded' ? MARK_REMINDED : MARK_ESCALATED,
        [clockId],
      )
      if (!clock) return
      const actor = { role: 'clock', userId: null } as const
      const about = { clock: clock.kind, turn: turnOf(dispute, clock.kind), dueAt: clock.due_at }
      await this.record(manager, dispute, { step, actor, now: await databaseTime(manager), about })
    })
  }

  /** Wakes a time limit again soon, because nothing could be done about it now. */
  async postponeClock(id: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE dispute_clock SET wake_at = ${retrySoon()} WHERE id = $1 AND ended_at IS NULL`,
      [id],
    )
  }

  /** The parcels of returns about which the carrier is to be asked within a time from now, the earliest first. */
  async dueParcels(aheadMs: number, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    return this.dataSource.query(
      `SELECT dispute_id::text AS id, poll_at AS "dueAt" FROM return_parcel
       WHERE poll_at <= now() + $1 * interval '1 millisecond' ORDER BY poll_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  /**
   * Takes the next question to the carrier about a return, and sets the one after it, so that a fault loses none.
   *
   * @returns null when it is not due, or the return is not on its way any more
   */
  async takeParcel(disputeId: number, pollMs: number): Promise<ReturningParcel | null> {
    const [[row]]: [{ tracking_number: string; carrier: string | null; shipped_at: Date; stage: Stage }[], number] =
      await this.dataSource.query(
        `UPDATE return_parcel p SET poll_at = CASE d.stage WHEN 'returned' THEN now() + $2 * interval '1 millisecond' END
         FROM dispute d WHERE d.id = p.dispute_id AND p.dispute_id = $1 AND p.poll_at <= now()
         RETURNING p.tracking_number, p.carrier, p.shipped_at, d.stage`,
        [disputeId, pollMs],
      )
    if (row?.stage !== 'returned') return null
    return { trackingNumber: row.tracking_number, carrier: row.carrier, shippedAt: row.shipped_at }
  }

  /** A case with all its rows, and the time at which it was read; null when there is none, or it was never open. */
  async read(id: number): Promise<{ row: DisputeEntity; rows: CaseRows; dispute: Case; now: Date } | null> {
    const { manager } = this.dataSource
    const row = await manager.findOneBy(DisputeEntity, { id })
    if (!row?.openedAt) return null
    const rows = await readRows(manager, id)
    return { row, rows, dispute: toCase(row, rows), now: await databaseTime(manager) }
  }

  /** The disputes of which a user is a party, newest first. A filing that escrow has not answered has no parties yet. */
  async listOf(userId: string, limit: number): Promise<{ row: DisputeEntity; rows: CaseRows }[]> {
    const { manager } = this.dataSource
    const found = await manager.find(DisputeEntity, {
      where: [{ buyerId: userId }, { sellerId: userId }],
      order: { id: 'DESC' },
      take: limit,
    })
    const rows = await readRowsOf(
      manager,
      found.map(({ id }) => id),
    )
    return found.map(row => ({ row, rows: rows.get(row.id)! }))
  }

  /** Disputes that were opened, the earliest time limit first; of all statuses but closed when `statuses` is null. */
  async queue(
    limit: number,
    statuses: readonly DisputeStatus[] | null,
  ): Promise<{ row: DisputeEntity; rows: CaseRows }[]> {
    const { manager } = this.dataSource
    const found: { id: string }[] = await manager.query(
      `SELECT d.id FROM dispute d LEFT JOIN dispute_clock c ON c.dispute_id = d.id AND c.ended_at IS NULL
       WHERE d.opened_at IS NOT NULL AND d.status = ANY($1) GROUP BY d.id ORDER BY min(c.due_at) NULLS LAST, d.id LIMIT $2`,
      [statuses ?? DISPUTE_STATUSES.filter(status => status !== 'closed'), limit],
    )
    const ids = found.map(({ id }) => Number(id))
    const disputes = new Map((await manager.findBy(DisputeEntity, { id: In(ids) })).map(row => [row.id, row]))
    const rows = await readRowsOf(manager, ids)
    return ids.map(id => ({ row: disputes.get(id)!, rows: rows.get(id)! }))
  }

  get(id: number): Promise<DisputeEntity> {
    return this.dataSource.getRepository(DisputeEntity).findOneByOrFail({ id })
  }

  /** Closes a dispute whose end escrow has posted. A dispute that was closed before is left as it is. */
  async markSettled(id: number): Promise<DisputeEntity> {
    await this.dataSource.transaction(async manager => {
      const row = await manager.findOne(DisputeEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      if (row?.step !== 'settling') return
      const now = await databaseTime(manager)
      const { settleResolution: resolution, settleBy: userId } = row
      await manager.update(DisputeEntity, { id }, { ...CLOSED, resolution, updatedAt: now })
      await endCase(manager, id)
      await writeHistory(manager, id, { step: 'closed', by: 'system', userId, at: now })
      await appendToOutbox(manager, newEvent(disputeClosed, id, factsOf(row), now))
    })
    return this.get(id)
  }

  /** Takes a decision back that escrow refused to post: the case goes on where it was. */
  async putBack(id: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE dispute SET stage = stage_before, stage_before = NULL, step = 'settled', retry_at = NULL, settle_refund_minor = NULL,
         settle_cause = NULL, settle_by = NULL, settle_resolution = NULL, updated_at = now()
       WHERE id = $1 AND step = 'settling'`,
      [id],
    )
  }

  private async lock(manager: EntityManager, id: number): Promise<Case> {
    return readCase(
      manager,
      await manager.findOne(DisputeEntity, { where: { id }, lock: { mode: 'pessimistic_write' } }),
    )
  }

  private async write(manager: EntityManager, dispute: Case, { change, actor }: Decided, now: Date): Promise<void> {
    const { settlement } = change
    await manager.update(
      DisputeEntity,
      { id: dispute.id },
      {
        stage: change.stage,
        ...(change.stage !== 'settling' && { status: STATUS_IN[change.stage] }),
        ...(change.adminNotes !== undefined && { adminNotes: change.adminNotes }),
        ...(settlement && {
          stageBefore: dispute.stage,
          step: 'settling' as const,
          settleRefundMinor: settlement.refundMinor,
          settleCause: settlement.cause,
          settleBy: settlement.by,
          settleResolution: settlement.resolution,
          retryAt: retrySoon,
        }),
        updatedAt: now,
      },
    )
    await writeClocks(manager, dispute.id, change.clocks, { now, daySeconds: this.config.DAY_SECONDS })
    await this.writeRows(manager, dispute.id, change, now)
    for (const step of change.steps) await this.record(manager, dispute, { ...step, actor, now })
  }

  private async writeRows(manager: EntityManager, id: number, change: CaseChange, now: Date): Promise<void> {
    const { proposal, closedProposals = [], ruling, waiver, appeal, shipment, returnDelivered, contest } = change
    for (const closed of closedProposals)
      await manager.query('UPDATE proposal SET state = $2 WHERE id = $1', [closed.id, closed.state])
    if (proposal)
      await manager.query(
        `INSERT INTO proposal (id, dispute_id, by, refund_minor, state, at) VALUES ($1, $2, $3, $4, 'open', $5)`,
        [proposal.id, id, proposal.by, proposal.refundMinor.toString(), now],
      )
    if (ruling)
      await manager.query(
        `INSERT INTO ruling (id, dispute_id, outcome, refund_minor, resolution, mediator_id, is_on_appeal, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          ruling.id,
          id,
          ruling.outcome,
          ruling.refundMinor?.toString() ?? null,
          ruling.resolution,
          ruling.mediatorId,
          ruling.isOnAppeal,
          now,
        ],
      )
    if (waiver)
      await manager.query('INSERT INTO waiver (ruling_id, by, at) VALUES ($1, $2, $3)', [
        waiver.rulingId,
        waiver.by,
        now,
      ])
    if (appeal)
      await manager.query('INSERT INTO appeal (dispute_id, by, reason, at) VALUES ($1, $2, $3, $4)', [
        id,
        appeal.by,
        appeal.reason,
        now,
      ])
    if (shipment)
      await manager.query(
        `INSERT INTO return_parcel (dispute_id, tracking_number, carrier, shipped_at, poll_at) VALUES ($1, $2, $3, $4, now())
         ON CONFLICT (dispute_id) DO UPDATE SET tracking_number = excluded.tracking_number, carrier = excluded.carrier,
           poll_at = excluded.poll_at`,
        [id, shipment.trackingNumber, shipment.carrier, now],
      )
    if (returnDelivered)
      await manager.query('UPDATE return_parcel SET delivered_at = $2 WHERE dispute_id = $1', [id, now])
    if (contest)
      await manager.query('UPDATE return_parcel SET contested_at = $2, contest_reason = $3 WHERE dispute_id = $1', [
        id,
        now,
        contest.reason,
      ])
  }

  /** Writes one step of the history, and the event that tells the parties. */
  private async record(manager: EntityManager, dispute: Case, taken: Taken): Promise<void> {
    const { step, refundMinor = null, ruling = null, actor, now, about } = taken
    const by = roleInHistory(actor.role)
    await writeHistory(manager, dispute.id, { step, by, userId: actor.userId, refundMinor, at: now })
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
}

/** An item on its way back to the seller. */
export interface ReturningParcel {
  readonly trackingNumber: string
  readonly carrier: string | null
  /** When the buyer gave the number. Older scans belong to another parcel with the same number. */
  readonly shippedAt: Date
}

/** A step that is written into the history. */
interface Taken extends CaseStep {
  readonly actor: Actor
  readonly now: Date
  /** The time limit that the step is about. */
  readonly about?: { readonly clock: DisputeClock; readonly turn: DisputeTurn; readonly dueAt: Date }
}

const MARK_REMINDED = `UPDATE dispute_clock SET reminded_at = now(), wake_at = due_at
  WHERE id = $1 AND ended_at IS NULL AND reminded_at IS NULL RETURNING kind, due_at`
const MARK_ESCALATED = `UPDATE dispute_clock SET escalated_at = now(), wake_at = NULL
  WHERE id = $1 AND ended_at IS NULL AND escalated_at IS NULL RETURNING kind, due_at`

function roleInHistory(role: ActorRole) {
  assert(role !== 'escrow', 'escrow takes no step of a history')
  return role === 'clock' ? ('system' as const) : role
}
