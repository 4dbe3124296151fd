import type { ActOutcome, AdjustmentPreview, Approval } from '@holdfast/contracts/admin-escrow'
import {
  APPROVAL_DAYS,
  type ApprovalDecision,
  type ApprovalState,
  type GuardedAct as Kind,
  TOO_NEW_TEXTS,
} from '@holdfast/kernel/admin'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { type Currency, DEAL_CURRENCY, formatAmount } from '@holdfast/kernel/money'
import { keepAct } from '@holdfast/service-kit/audit/admin-acts'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { answerOnce, hashInput } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { AdjustLedger, type AdjustmentInput } from './adjust-ledger.js'
import type { ActImpact, ActResult } from './guarded-act.js'
import { GuardedActs } from './guarded-acts.js'

/** An admin who asks for something or decides about it. */
export interface Admin {
  readonly id: string
  readonly reason: string
  /** The client's idempotency key, when it sent one. */
  readonly key?: string | null
}

/** What an admin decides about a request. */
interface Decision {
  readonly decision: ApprovalDecision
  /** The admins who were appointed long enough ago to count. Only an approval reads it. */
  readonly approvers: readonly string[]
}

/**
 * Acts of operators that need a second admin above an amount. Below it they are done at once. Above it they are a request first,
 * which another admin approves: the approval does the act in the same dbTx, so it is done exactly once.
 */
@Injectable()
export class ApprovalsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly acts: GuardedActs,
    private readonly adjustments: AdjustLedger,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Does an act, or asks for it when it moves more than `FOUR_EYES_ABOVE_MINOR`.
   *
   * @throws DomainError `FORBIDDEN` for an admin whose own money it moves, `IDEMPOTENCY_KEY_REUSED`, and what the act throws
   */
  async ask(kind: Kind, input: object, admin: Admin): Promise<ActOutcome> {
    const act = this.acts.of(kind)
    const committed: (() => void)[] = []
    const work = async (dbTx: EntityManager): Promise<ActOutcome> => {
      const impact = await act.impactOf(dbTx, input)
      refuseParty(impact, admin.id)
      if (this.needsApproval(impact))
        return { state: 'waiting', approvalId: await this.keepRequest(dbTx, kind, impact, input, admin) }
      const done = await act.perform(dbTx, input, { actorId: admin.id, at: await databaseTime(dbTx), impact })
      await keepDone(dbTx, kind, impact, done, admin)
      if (done.committed) committed.push(done.committed)
      return { state: 'done', approvalId: null }
    }
    const key = admin.key && {
      userId: admin.id,
      route: kind,
      key: admin.key,
      inputHash: hashInput([input, admin.reason]),
    }
    const outcome = key
      ? await answerOnce(this.dataSource, key, this.clock.now(), work)
      : await this.dataSource.transaction(work)
    for (const run of committed) run()
    return outcome
  }

  /**
   * What both accounts of an adjustment have and would have, as one moment shows them, and whether a second admin is needed.
   *
   * @throws DomainError what `ask` would throw for this adjustment
   */
  previewAdjustment(input: AdjustmentInput, adminId: string): Promise<AdjustmentPreview> {
    return this.dataSource.transaction('REPEATABLE READ', async dbTx => {
      const impact = await this.adjustments.impactOf(dbTx, input)
      refuseParty(impact, adminId)
      return { ...(await this.adjustments.preview(dbTx, input)), needsApproval: this.needsApproval(impact) }
    })
  }

  /** The amount above which an act waits for a second admin. */
  limit() {
    return { amount: formatAmount(this.config.FOUR_EYES_ABOVE_MINOR, DEAL_CURRENCY), currency: DEAL_CURRENCY }
  }

  /** The requests, newest first; optionally those in one state. */
  async list(page: { limit: number; before?: string | undefined; state?: ApprovalState | undefined }) {
    await this.expire()
    const rows: RequestRow[] = await this.dataSource.query(LIST, [page.limit, page.before ?? null, page.state ?? null])
    return rows.map(toApproval)
  }

  /**
   * Approves or rejects a request. Of several decisions at the same time the first one counts. An admin may reject what they
   * asked for themselves, and may not approve it.
   *
   * @throws DomainError `NOT_FOUND`; `FORBIDDEN` for the admin who asked and for one whose own money it moves; `ADMIN_TOO_NEW` when
   * the admin who asked or the one who approves does not count yet; `CONFLICT` when it was decided before, `GONE` when it has expired;
   * and what the act throws: then the request still waits
   */
  async decide(id: string, { decision, approvers }: Decision, admin: Admin): Promise<Approval> {
    await this.expire()
    const { row, done } = await this.dataSource.transaction(async dbTx => {
      const [request]: RequestRow[] = await dbTx.query(LOCK, [id])
      if (!request) throw new DomainError('NOT_FOUND')
      if (request.state === 'expired') throw new DomainError('GONE')
      if (request.state !== 'waiting') throw new DomainError('CONFLICT', { state: request.state })
      const done = decision === 'approve' ? await this.approve(dbTx, request, admin, approvers) : null
      if (decision === 'reject') await keepRejected(dbTx, request, admin)
      const state: ApprovalState = decision === 'approve' ? 'approved' : 'rejected'
      const [[row]]: [RequestRow[]] = await dbTx.query(DECIDE, [id, state, admin.id, admin.reason])
      return { row: row!, done }
    })
    done?.committed?.()
    return toApproval(row)
  }

  private async approve(
    dbTx: EntityManager,
    request: RequestRow,
    admin: Admin,
    approvers: readonly string[],
  ): Promise<ActResult> {
    if (request.asked_by === admin.id) throw new DomainError('FORBIDDEN')
    refuseTooNew('approver', admin.id, approvers)
    // Otherwise an admin could ask with a second account and approve with the first one.
    refuseTooNew('asker', request.asked_by, approvers)
    const act = this.acts.of(request.kind)
    const { input } = request
    const impact = await act.impactOf(dbTx, input)
    refuseParty(impact, admin.id)
    if (impact.amountMinor !== BigInt(request.amount_minor))
      throw new DomainError('CONFLICT', { amount: formatAmount(impact.amountMinor, impact.currency) })
    const done = await act.perform(dbTx, input, { actorId: admin.id, at: await databaseTime(dbTx), impact })
    const after = { ...done.after, approvalId: request.id, askedBy: request.asked_by, askedBecause: request.reason }
    await keepDone(dbTx, request.kind, impact, { ...done, after }, admin)
    return done
  }

  private needsApproval({ amountMinor }: ActImpact): boolean {
    return amountMinor > this.config.FOUR_EYES_ABOVE_MINOR
  }

  private async keepRequest(dbTx: EntityManager, kind: Kind, impact: ActImpact, input: object, admin: Admin) {
    const id = newId()
    const { subject, amountMinor, currency } = impact
    const days = (APPROVAL_DAYS * this.config.DAY_SECONDS).toString()
    const values = [
      id,
      kind,
      subject,
      JSON.stringify(input),
      amountMinor.toString(),
      currency,
      admin.reason,
      admin.id,
      days,
    ]
    await dbTx.query(INSERT, values)
    const after = { kind, subject, amount: formatAmount(amountMinor, currency), currency, ...input }
    await keepAct(dbTx, {
      actorId: admin.id,
      act: 'approval.ask',
      subject: `approval:${id}`,
      before: null,
      after,
      reason: admin.reason,
    })
    return id
  }

  private async expire(): Promise<void> {
    await this.dataSource.query(EXPIRE)
  }
}

function refuseTooNew(who: keyof typeof TOO_NEW_TEXTS, adminId: string, approvers: readonly string[]): void {
  if (!approvers.includes(adminId)) throw new DomainError('ADMIN_TOO_NEW', { who }, TOO_NEW_TEXTS[who])
}

function refuseParty({ parties }: ActImpact, adminId: string): void {
  if (parties.includes(adminId)) throw new DomainError('FORBIDDEN')
}

const keepDone = (
  dbTx: EntityManager,
  act: Kind,
  { subject, otherSubject }: ActImpact,
  { before, after }: ActResult,
  admin: Admin,
) => keepAct(dbTx, { actorId: admin.id, act, subject, otherSubject, before, after, reason: admin.reason })

const keepRejected = (dbTx: EntityManager, { id, kind, subject, asked_by }: RequestRow, admin: Admin) =>
  keepAct(dbTx, {
    actorId: admin.id,
    act: 'approval.reject',
    subject: `approval:${id}`,
    before: { state: 'waiting', kind, subject, askedBy: asked_by },
    after: { state: 'rejected' },
    reason: admin.reason,
  })

/** A row as TypeORM's connections return it: `bigint` is text. */
interface RequestRow {
  readonly id: string
  readonly kind: Kind
  readonly subject: string
  readonly input: Record<string, unknown>
  readonly amount_minor: string
  readonly currency: Currency
  readonly reason: string
  readonly asked_by: string
  readonly asked_at: Date
  readonly expires_at: Date
  readonly state: ApprovalState
  readonly decided_by: string | null
  readonly decided_at: Date | null
  readonly decision_reason: string | null
}

const toApproval = (row: RequestRow): Approval => ({
  id: row.id,
  kind: row.kind,
  subject: row.subject,
  amount: formatAmount(BigInt(row.amount_minor), row.currency),
  currency: row.currency,
  input: row.input,
  reason: row.reason,
  askedBy: row.asked_by,
  askedAt: row.asked_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  state: row.state,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at?.toISOString() ?? null,
  decisionReason: row.decision_reason,
})

const INSERT = `INSERT INTO admin_request (id, kind, subject, input, amount_minor, currency, reason, asked_by, asked_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp(), clock_timestamp() + $9 * interval '1 second')`
const LIST = `SELECT * FROM admin_request WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR state = $3)
  ORDER BY id DESC LIMIT $1`
const LOCK = 'SELECT * FROM admin_request WHERE id = $1 FOR UPDATE'
const EXPIRE = `UPDATE admin_request SET state = 'expired' WHERE state = 'waiting' AND expires_at <= clock_timestamp()`
const DECIDE = `UPDATE admin_request SET state = $2, decided_by = $3, decided_at = clock_timestamp(), decision_reason = $4
  WHERE id = $1 RETURNING *`
