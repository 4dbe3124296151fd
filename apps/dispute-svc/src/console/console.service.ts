import type { KeptAct, StuckCase } from '@holdfast/contracts/admin'
import { STUCK_DISPUTE_CALL_SECONDS, STUCK_RUNBOOKS } from '@holdfast/kernel/admin'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { ActsPage } from '@holdfast/service-kit/audit/admin-acts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { CALLS_TO_ESCROW, type CallToEscrow } from '../cases/dispute.entity.js'
import { STEPS_WITH_NOTES } from '../cases/domain/case.js'

/** What the operator's console reads of disputes. */
@Injectable()
export class ConsoleService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Those of the deals that have a dispute which has not ended. */
  async findDealsWithDispute(transactionIds: readonly number[]): Promise<number[]> {
    const rows: { id: string }[] = await this.dataSource.query(WITH_DISPUTE, [transactionIds])
    return rows.map(({ id }) => Number(id))
  }

  /** The disputes of which escrow-svc has not answered a call for a while, the oldest first. The time is the database's. */
  async findStuck(): Promise<StuckCase[]> {
    const rows: { id: string; transaction_id: string; step: CallToEscrow; since: Date }[] = await this.dataSource.query(
      STUCK,
      [CALLS_TO_ESCROW],
    )
    return rows.map(({ id, transaction_id, step, since }) => ({
      kind: 'dispute_waits_for_escrow',
      id,
      transactionId: Number(transaction_id),
      since: since.toISOString(),
      text: WAITS[step],
      runbook: STUCK_RUNBOOKS.dispute_waits_for_escrow,
    }))
  }

  /**
   * A page of what mediators did. Rulings and the history are rows that are only ever added, with their author and time, so they
   * are not written a second time as acts.
   */
  async listActs({ limit, before, actor, act, subject }: ActsPage): Promise<KeptAct[]> {
    const values = [limit, before ?? null, actor ?? null, act ?? null, subject ?? null, STEPS_WITH_NOTES]
    const rows: ActRow[] = await this.dataSource.query(ACTS, values)
    return rows.map(({ id, at, actor_id, act, dispute_id, reason, outcome, refund_minor, currency, asked_by }) => ({
      id,
      at: at.toISOString(),
      actorId: actor_id,
      commandLineUser: null,
      act,
      subject: `dispute:${dispute_id}`,
      before: null,
      after: {
        ...(outcome && { outcome }),
        ...(refund_minor !== null && currency && { refund: formatAmount(BigInt(refund_minor), currency) }),
        ...(asked_by && { askedBy: asked_by }),
        ...(act === 'dispute.investigate' && { status: 'investigating' }),
      },
      reason,
    }))
  }
}

/** `bigint` is text. */
interface ActRow {
  readonly id: string
  readonly at: Date
  readonly actor_id: string
  readonly act: 'dispute.rule' | 'dispute.investigate' | 'approval.ask' | 'approval.approve' | 'approval.reject'
  readonly asked_by: string | null
  readonly dispute_id: string
  readonly reason: string
  readonly outcome: string | null
  readonly refund_minor: string | null
  readonly currency: Currency | null
}

const WAITS: Readonly<Record<CallToEscrow, string>> = {
  freezing: 'It was filed, and escrow-svc has not answered whether the deal is stopped.',
  resuming: 'It has ended, and escrow-svc has not answered whether the deal goes on.',
  settling: 'It was decided, and escrow-svc has not posted the money.',
}

const STUCK = `SELECT id::text, transaction_id, step, updated_at AS since FROM dispute
  WHERE retry_at IS NOT NULL AND step = ANY($1)
    AND updated_at < clock_timestamp() - interval '${STUCK_DISPUTE_CALL_SECONDS} seconds'
  ORDER BY since LIMIT ${MAX_PAGE_SIZE}`

const WITH_DISPUTE = `SELECT DISTINCT transaction_id AS id FROM dispute
  WHERE transaction_id = ANY($1::bigint[]) AND status <> 'closed' AND step <> 'refused'`

const ACTS = `
  SELECT * FROM (
    SELECT r.id, r.at, r.mediator_id AS actor_id, 'dispute.rule' AS act, r.dispute_id, r.resolution AS reason, r.outcome,
      r.refund_minor, d.currency, NULL::uuid AS asked_by
      FROM ruling r JOIN dispute d ON d.id = r.dispute_id
    UNION ALL
    SELECT h.id, h.at, h.user_id, 'dispute.investigate', h.dispute_id, coalesce(h.note,
        CASE h.step WHEN 'taken_over' THEN 'The case was taken over from another mediator.' ELSE 'The case was taken.' END),
        NULL, NULL, NULL, NULL
      FROM history h
     WHERE h.step = ANY($6) AND h.role = 'mediator' AND h.user_id IS NOT NULL
    UNION ALL
    SELECT q.id, q.asked_at, q.asked_by, 'approval.ask', q.dispute_id, q.resolution, q.outcome, q.refund_minor, d.currency, NULL
      FROM ruling_request q JOIN dispute d ON d.id = q.dispute_id
    UNION ALL
    SELECT q.decision_id, q.decided_at, q.decided_by, CASE q.state WHEN 'approved' THEN 'approval.approve' ELSE 'approval.reject' END,
        q.dispute_id, q.decision_reason, q.outcome, q.refund_minor, d.currency, q.asked_by
      FROM ruling_request q JOIN dispute d ON d.id = q.dispute_id WHERE q.decision_id IS NOT NULL
  ) acts
  WHERE ($2::uuid IS NULL OR id < $2) AND ($3::uuid IS NULL OR actor_id = $3) AND ($4::text IS NULL OR act = $4)
    AND ($5::text IS NULL OR 'dispute:' || dispute_id = $5)
  ORDER BY id DESC LIMIT $1`
