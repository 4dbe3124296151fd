import type { EventForOperator } from '@holdfast/contracts/admin-events'
import { PROVIDER_EVENT_DAYS, PROVIDER_EVENT_REASONS, type ProviderEventReason } from '@holdfast/kernel/admin'
import { DomainError } from '@holdfast/kernel/errors'
import { keepAct } from '@holdfast/service-kit/audit/admin-acts'
import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

const MEASURED_EVERY_MS = 45 * 1000
const SINCE = `now() - interval '${PROVIDER_EVENT_DAYS} days'`

/**
 * What needs an operator, also what is done. A refund of an ended deal that has failed costs nothing any more, but an operator may have
 * charged it to the seller. The entry of its failure names no refund: where several refunds of a deal have failed, all of them are named. What
 * came back of a chargeback and belongs to no account of the deal is on `provider_costs`, until a bank takes it again.
 */
const EVENTS = `
  SELECT id, 'unfitting' AS why, kind AS about, NULL::bigint AS transaction_id, received_at AS at
    FROM webhook_event WHERE NOT handled AND is_unfitting AND received_at > ${SINCE}
  UNION ALL SELECT id::text, 'refund_of_ended_deal', provider_refund_id, transaction_id, created_at
    FROM refund WHERE origin = 'provider_late' AND status IN ('sent', 'confirmed') AND send_attempt = 1 AND created_at > ${SINCE}
  UNION ALL SELECT e.id::text, 'refund_of_ended_deal_failed', string_agg(coalesce(r.failed_provider_ids[1], r.provider_refund_id), ', '),
      e.transaction_id, e.at
    FROM refund r JOIN journal_entry e ON e.transaction_id = r.transaction_id AND e.kind = 'provider_refund_failed' AND e.at > ${SINCE}
    JOIN posting p ON p.entry_id = e.id AND p.credit = 'provider_costs'
   WHERE r.origin = 'provider_late' AND (r.status IN ('void', 'failed') OR r.send_attempt > 1) AND r.created_at > ${SINCE}
   GROUP BY e.id
  UNION ALL SELECT e.id::text, 'chargeback_returned', max(c.id), e.transaction_id, e.at
    FROM chargeback c JOIN journal_entry e ON e.transaction_id = c.transaction_id AND e.kind = 'chargeback_returned' AND e.at > ${SINCE}
    JOIN posting p ON p.entry_id = e.id AND p.credit = 'provider_costs'
   WHERE c.status IN ('won', 'open') AND c.updated_at > ${SINCE} AND NOT EXISTS (
     SELECT FROM journal_entry again WHERE again.transaction_id = e.transaction_id AND again.kind = 'chargeback_lost' AND again.at > e.at)
   GROUP BY e.id`

/** Of two admins at the same time the second finds an event done. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('provider_event.done'))`

/** Those that no operator has marked as done, alone or with others. */
const OPEN = `SELECT * FROM (${EVENTS}) event WHERE NOT EXISTS (
    SELECT FROM admin_act WHERE act = 'provider_event.done' AND subject = 'provider_event:' || event.id)
  AND id NOT IN (SELECT jsonb_array_elements_text(after -> 'events') FROM admin_act WHERE act = 'provider_event.done')`

/** A page of the open ones. The page before may end with one that has been marked since, so its place is looked up among all. */
const LIST = `SELECT * FROM (${OPEN}) open
  WHERE $2::text IS NULL OR (at, id) > (SELECT at, id FROM (${EVENTS}) event WHERE id = $2)
  ORDER BY at, id LIMIT $1`

interface Admin {
  readonly actorId: string
  readonly reason: string
}

interface Row {
  readonly id: string
  readonly why: ProviderEventReason
  readonly about: string
  readonly transaction_id: string | null
  readonly at: Date
}

/**
 * The events of the provider after which an operator must book or decide something, until an operator has marked them as done. They are
 * counted in the database: a counter of this process would lose what comes just before its end or just after its start.
 */
@Injectable()
export class EventsForOperators {
  private readonly cases = gauge(
    'escrow_events_for_operators',
    'Events of the provider after which an operator must act and has not, by what is wrong',
    ['why'],
    atMostEvery(MEASURED_EVERY_MS, () => this.measure()),
  )

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Counts the open events for the metric. */
  async measure(): Promise<void> {
    const rows: { why: ProviderEventReason; n: number }[] = await this.dataSource.query(
      `SELECT why, count(*)::int AS n FROM (${OPEN}) open GROUP BY why`,
    )
    for (const why of PROVIDER_EVENT_REASONS) this.cases.set({ why }, rows.find(row => row.why === why)?.n ?? 0)
  }

  /** A page of the open events, the oldest first. @param after the id of the last one of the page before */
  async list({
    limit,
    after,
  }: {
    readonly limit: number
    readonly after?: string | undefined
  }): Promise<EventForOperator[]> {
    const rows: Row[] = await this.dataSource.query(LIST, [limit, after ?? null])
    return rows.map(({ id, why, about, transaction_id: transactionId, at }) => ({
      ...{ id, why, about, at: at.toISOString() },
      transactionId: transactionId === null ? null : Number(transactionId),
    }))
  }

  /** How many are open. */
  async count(): Promise<number> {
    const [row]: { n: number }[] = await this.dataSource.query(`SELECT count(*)::int AS n FROM (${OPEN}) open`)
    return row!.n
  }

  /**
   * Marks an open event as done. Who did it, when and what was done is an act of the audit log, which is the mark.
   *
   * @throws DomainError `NOT_FOUND` when no open event has this id
   */
  async markDone(id: string, admin: Admin): Promise<void> {
    await this.dataSource.transaction(async dbTx => {
      await dbTx.query(LOCK)
      const [event]: Row[] = await dbTx.query(`SELECT * FROM (${OPEN}) open WHERE id = $1`, [id])
      if (!event) throw new DomainError('NOT_FOUND')
      const { why, about, transaction_id: transactionId } = event
      await keepAct(dbTx, {
        ...admin,
        act: 'provider_event.done',
        subject: `provider_event:${id}`,
        otherSubject: transactionId === null ? undefined : `transaction:${transactionId}`,
        before: { why, about },
        after: { done: true },
      })
    })
  }

  /**
   * Marks the open ones of these events as done with one act, which names them.
   *
   * @returns their number
   * @throws DomainError `NOT_FOUND` when none of them is open
   */
  async markSeveralDone(why: ProviderEventReason, ids: readonly string[], admin: Admin): Promise<number> {
    return this.dataSource.transaction(async dbTx => {
      await dbTx.query(LOCK)
      const open: Row[] = await dbTx.query(
        `SELECT * FROM (${OPEN}) open WHERE why = $1 AND id = ANY ($2) ORDER BY at, id`,
        [why, ids],
      )
      if (open.length === 0) throw new DomainError('NOT_FOUND')
      await keepAct(dbTx, {
        ...admin,
        act: 'provider_event.done',
        subject: `provider_events:${why}`,
        before: { why },
        after: { done: true, events: open.map(({ id }) => id) },
      })
      return open.length
    })
  }
}
