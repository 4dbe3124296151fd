/** Reads of single accounts, for operators. */
import type { Currency } from '@holdfast/kernel/money'
import type { EntityManager } from 'typeorm'

/** What a statement, or the balance of an account, is read with: a pool or a dbTx. */
type Database = Pick<EntityManager, 'query'>

/** A line of a statement as the driver returns it: `bigint` and `numeric` are text. */
export interface StatementRow {
  readonly position: string
  readonly entry_id: string
  readonly kind: string
  readonly transaction_id: string | null
  readonly debit: string
  readonly credit: string
  readonly amount_minor: string
  readonly balance: string
  readonly at: Date
}

/** An account with what was debited and credited in one currency. */
export interface AccountRow {
  readonly account: string
  readonly currency: Currency
  readonly debits: string
  readonly credits: string
}

/** The balance of an account, credits less debits, in minor units. */
export async function balanceOf(database: Database, account: string, currency: Currency): Promise<bigint> {
  const [row]: { balance: string }[] = await database.query(BALANCE, [account, currency])
  return BigInt(row!.balance)
}

/** The lines of an account below a position, the newest first. */
export function readStatement(
  database: Database,
  account: string,
  { currency, limit, before }: { currency: Currency; limit: number; before?: number | undefined },
): Promise<StatementRow[]> {
  return database.query(STATEMENT, [account, currency, dealOf(account), before ?? null, limit])
}

/** The accounts that the postings of some deals name, and these accounts themselves. */
export function readAccounts(
  database: Database,
  dealIds: readonly number[],
  accounts: readonly string[],
): Promise<AccountRow[]> {
  return database.query(ACCOUNTS, [dealIds, accounts])
}

/** The deal whose account it is; null for the others. Every posting of a deal's account belongs to an entry of that deal. */
function dealOf(account: string): number | null {
  const [kind, id] = account.split(':')
  if (kind !== 'hold' && kind !== 'refund_due') return null
  return Number.isSafeInteger(Number(id)) ? Number(id) : NO_DEAL
}
/** No deal has this id. It stands for numbers that are too large to be one. */
const NO_DEAL = 0

const BALANCE = `SELECT coalesce(sum(CASE WHEN credit = $1 THEN amount_minor ELSE -amount_minor END), 0) AS balance
  FROM posting WHERE (credit = $1 OR debit = $1) AND currency = $2`

/** The index of a deal's entries finds those of its accounts, and two indexes those of a seller. Other accounts are read whole. */
const STATEMENT = `
  SELECT * FROM (
    SELECT row_number() OVER lines AS position, e.id AS entry_id, e.kind, e.transaction_id, p.debit, p.credit, p.amount_minor,
      sum(CASE WHEN p.credit = $1 THEN p.amount_minor ELSE -p.amount_minor END) OVER lines AS balance, e.at
    FROM posting p JOIN journal_entry e ON e.id = p.entry_id
    WHERE (p.credit = $1 OR p.debit = $1) AND p.currency = $2 AND ($3::bigint IS NULL OR e.transaction_id = $3)
    WINDOW lines AS (ORDER BY e.at, e.id, p.n ROWS UNBOUNDED PRECEDING)
  ) line WHERE $4::bigint IS NULL OR position < $4 ORDER BY position DESC LIMIT $5`

const SIDES = `
  SELECT credit AS account, currency, 0 AS debit, amount_minor AS credit, entry_id FROM posting
  UNION ALL SELECT debit, currency, amount_minor, 0, entry_id FROM posting`

const ACCOUNTS = `
  WITH named AS (
    SELECT DISTINCT s.account FROM journal_entry e JOIN posting p ON p.entry_id = e.id
      CROSS JOIN LATERAL (VALUES (p.debit), (p.credit)) s(account)
     WHERE e.transaction_id = ANY($1::bigint[]) AND s.account LIKE '%:%'
    UNION SELECT unnest($2::text[])
  )
  SELECT account, currency, sum(debit) AS debits, sum(credit) AS credits FROM (${SIDES}) side
   WHERE account IN (SELECT account FROM named) GROUP BY account, currency ORDER BY account, currency`
