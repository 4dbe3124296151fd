import type { StuckCase, stuckInternalRoutes } from '@holdfast/contracts/admin'
import type { Output } from '@holdfast/contracts/route'
import {
  MAX_STUCK_DISPUTED,
  STUCK_ASKING_CLOCK_SECONDS,
  STUCK_CLOCK_SECONDS,
  STUCK_DISPUTE_SECONDS,
  STUCK_PAYMENT_SECONDS,
  STUCK_PAYOUT_SECONDS,
  STUCK_RUNBOOKS,
  STUCK_TRANSFER_SECONDS,
  type StuckKind,
} from '@holdfast/kernel/admin'
import { type Currency, displayMinor } from '@holdfast/kernel/money'
import { refundError } from '@holdfast/kernel/refund-failures'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { LATE_TRANSFERS, WAITING_PAYOUTS } from '../payouts/payout-metrics.js'

type Found = Output<typeof stuckInternalRoutes.findStuck>

/** A row of one of the queries below. `bigint` is text. */
interface Row {
  readonly id: string
  readonly transaction_id: string | null
  readonly since: Date
  readonly what: string
  readonly amount_minor: string | null
  readonly currency: Currency | null
}

/** Finds what does not go on by itself, for operators. Every time is the database's. */
@Injectable()
export class StuckService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The cases, the oldest first in each kind, and the disputed deals whose dispute dispute-svc must know. */
  async find(): Promise<Found> {
    const cases: StuckCase[] = []
    for (const kind of KINDS) {
      const rows: Row[] = await this.dataSource.query(`${QUERIES[kind]} ORDER BY since LIMIT ${MAX_PAGE_SIZE}`)
      cases.push(...rows.map(row => toCase(kind, row)))
    }
    return { cases, disputed: await this.findDisputed() }
  }

  /** The deals that are disputed for a while, the oldest first. dispute-svc must know a dispute of each. */
  async findDisputed(): Promise<Found['disputed']> {
    const rows: { id: string; dispute_id: string | null; since: Date }[] = await this.dataSource.query(DISPUTED)
    return rows.map(({ id, dispute_id, since }) => ({
      transactionId: Number(id),
      disputeId: dispute_id === null ? null : Number(dispute_id),
      since: since.toISOString(),
    }))
  }
}

/** The kinds that escrow-svc knows alone. */
type Kind = Exclude<StuckKind, 'disputed_without_dispute' | 'dispute_waits_for_escrow' | 'not_checked'>
export const KINDS = [
  'clock_overdue',
  'payment_unknown',
  'refund_failed',
  'payout_waits',
  'payout_unanswered',
  'chargeback_not_booked',
  'seller_negative',
  'closed_with_balance',
] as const satisfies readonly Kind[]

function toCase(kind: Kind, row: Row): StuckCase {
  const { id, transaction_id, since, what, amount_minor, currency } = row
  const amount = amount_minor === null || currency === null ? '' : displayMinor(BigInt(amount_minor), currency)
  return {
    kind,
    id,
    transactionId: transaction_id === null ? null : Number(transaction_id),
    since: since.toISOString(),
    text: TEXTS[kind](what, amount),
    runbook: STUCK_RUNBOOKS[kind],
  }
}

const TEXTS: Readonly<Record<Kind, (what: string, amount: string) => string>> = {
  clock_overdue: clock => `The clock ${clock} is due and was not ended.`,
  payment_unknown: (status, amount) =>
    `A payment of ${amount} is ${status}, and the provider has not said how it ended.`,
  refund_failed: (error, amount) =>
    `A refund of ${amount} did not reach the buyer${error === '' ? '' : `: ${refundError(error)}`}.`,
  payout_waits: (what, amount) => `A payout of ${amount} ${what}`,
  payout_unanswered: (what, amount) => `The provider gives no answer about a payout of ${amount} that ${what}`,
  chargeback_not_booked: currency =>
    `A chargeback in ${currency} is lost and cannot be booked. Its transaction stays stopped until you decide.`,
  closed_with_balance: (_, amount) =>
    `The balance is ${amount}, and the account is closed. Its owner cannot ask for a payout.`,
  seller_negative: (_, amount) => `The seller’s balance is ${amount}. Later releases repay it.`,
}

/** The first id of the last day's entries. */
const A_DAY_AGO = `(SELECT (lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid)`

/**
 * The sellers whose balance is below zero now. A payout takes at most the balance, so a seller gets below zero by another debit, of which
 * there are few. The payouts of the last day are looked at, too, in case that rule was broken.
 */
const NEGATIVE_SELLERS = `
  SELECT may.account, own.currency FROM (
    SELECT debit AS account FROM posting WHERE debit LIKE 'seller_payable:%' AND credit NOT LIKE 'payout_in_transit:%'
    UNION SELECT debit FROM posting WHERE entry_id >= ${A_DAY_AGO} AND debit LIKE 'seller_payable:%'
  ) may CROSS JOIN LATERAL (
    SELECT currency, amount_minor AS amount FROM posting WHERE credit = may.account AND credit LIKE 'seller_payable:%'
    UNION ALL SELECT currency, -amount_minor FROM posting WHERE debit = may.account AND debit LIKE 'seller_payable:%'
  ) own GROUP BY may.account, own.currency HAVING sum(own.amount) < 0`

/** The balance of each of these sellers after each entry. The conditions with LIKE let PostgreSQL use the indexes of sellers' balances. */
const SELLER_BALANCES = `
  SELECT n.account, n.currency, e.at, e.id AS entry_id,
      sum(sum(own.amount)) OVER (PARTITION BY n.account, n.currency ORDER BY e.at, e.id) AS balance
    FROM (${NEGATIVE_SELLERS} OFFSET 0) n CROSS JOIN LATERAL (
      SELECT entry_id, amount_minor AS amount FROM posting
       WHERE credit = n.account AND credit LIKE 'seller_payable:%' AND currency = n.currency
      UNION ALL SELECT entry_id, -amount_minor FROM posting
       WHERE debit = n.account AND debit LIKE 'seller_payable:%' AND currency = n.currency) own
    JOIN journal_entry e ON e.id = own.entry_id
   GROUP BY n.account, n.currency, e.at, e.id`

/**
 * Each query returns the columns of `Row`. They use `now()`: by `clock_timestamp()`, which differs from row to row, no index can be
 * searched. A seller is below zero since the first entry after the last balance of zero or more. An account is closed with a balance of
 * zero. It has one above zero when a payout came back, or when a bank gave back a chargeback that later sales had repaid. An entry by hand on
 * a closed account is not found here.
 */
export const QUERIES: Readonly<Record<Kind, string>> = {
  clock_overdue: `
    SELECT id::text, id AS transaction_id, due_at AS since, clock AS what, NULL AS amount_minor, NULL AS currency
      FROM transaction WHERE due_at < now() - interval '${STUCK_CLOCK_SECONDS} seconds'
       AND (clock IN ('ship_by', 'inspection') OR due_at < now() - interval '${STUCK_ASKING_CLOCK_SECONDS} seconds')`,
  payment_unknown: `
    SELECT id::text, transaction_id, updated_at AS since, status AS what, amount_minor, currency FROM payment
     WHERE status IN ('creating', 'processing') AND updated_at < now() - interval '${STUCK_PAYMENT_SECONDS} seconds'
       AND (status = 'creating' OR method <> 'bank' OR updated_at < now() - interval '${STUCK_TRANSFER_SECONDS} seconds')`,
  refund_failed: `
    SELECT id::text, transaction_id, updated_at AS since, coalesce(last_error, '') AS what, amount_minor, currency
      FROM refund WHERE status = 'failed'`,
  payout_waits: `
    SELECT id::text, NULL AS transaction_id, coalesce(failed_at, created_at) AS since,
        CASE WHEN failure IS NULL THEN 'was not sent' ELSE 'failed, and its money has not come back from the provider' END
          || coalesce(': ' || last_error, '.') AS what, amount_minor, currency
      FROM payout WHERE (${WAITING_PAYOUTS} OR ${LATE_TRANSFERS}) AND coalesce(failed_at, created_at) < now() - interval '${STUCK_PAYOUT_SECONDS} seconds'`,
  payout_unanswered: `
    SELECT id::text, NULL AS transaction_id, unanswered_since AS since,
        CASE status WHEN 'paid' THEN 'was paid and may still come back' ELSE 'is on its way to the bank' END
          || coalesce(': ' || last_error, '.') AS what, amount_minor, currency
      FROM payout WHERE failure IS NULL AND status <> 'scheduled'
        AND unanswered_since < now() - interval '${STUCK_PAYOUT_SECONDS} seconds'`,
  chargeback_not_booked: `
    SELECT c.id, c.transaction_id, c.updated_at AS since, c.currency AS what, NULL AS amount_minor, NULL AS currency
      FROM chargeback c JOIN transaction t ON t.id = c.transaction_id
     WHERE c.status = 'lost' AND NOT c.withdrawn AND t.status = 'disputed' AND t.frozen -> 'chargebacks' ? c.id`,
  seller_negative: `
    SELECT split_part(account, ':', 2) AS id, NULL AS transaction_id, min(at) AS since, '' AS what,
        (array_agg(balance ORDER BY at DESC, entry_id DESC))[1] AS amount_minor, currency
      FROM (SELECT *, count(*) FILTER (WHERE balance >= 0) OVER (PARTITION BY account, currency ORDER BY at DESC, entry_id DESC)
            AS non_negative_from_here_on
        FROM (${SELLER_BALANCES}) balances) marked
     WHERE non_negative_from_here_on = 0 GROUP BY account, currency`,
  closed_with_balance: `
    SELECT seller_id::text AS id, NULL AS transaction_id, p.since, '' AS what, amount_minor, p.currency
      FROM (SELECT seller_id, currency, max(since) AS since FROM (
          SELECT seller_id, currency, updated_at AS since FROM payout WHERE status = 'returned'
          UNION ALL SELECT t.seller_id, t.currency, c.updated_at FROM chargeback c JOIN transaction t ON t.id = c.transaction_id
            WHERE c.status = 'won') came_back GROUP BY seller_id, currency) p
      JOIN closed_user c ON c.user_id = p.seller_id AND c.closed_at IS NOT NULL CROSS JOIN LATERAL (
        SELECT sum(amount) AS amount_minor FROM (
          SELECT amount_minor AS amount FROM posting
           WHERE credit = 'seller_payable:' || seller_id AND credit LIKE 'seller_payable:%' AND posting.currency = p.currency
          UNION ALL SELECT -amount_minor FROM posting
           WHERE debit = 'seller_payable:' || seller_id AND debit LIKE 'seller_payable:%' AND posting.currency = p.currency) own) balance
     WHERE amount_minor > 0`,
}

const DISPUTED = `
  SELECT id::text, frozen ->> 'disputeId' AS dispute_id, updated_at AS since FROM transaction
   WHERE status = 'disputed' AND updated_at < now() - interval '${STUCK_DISPUTE_SECONDS} seconds'
   ORDER BY since LIMIT ${MAX_STUCK_DISPUTED}`
