import { type Currency, formatAmount } from '@holdfast/kernel/money'
import type pg from 'pg'
import { violations } from './invariants.js'

/** What a reader of the books finds: sentences for an operator. */
export interface BooksReport {
  readonly summary: readonly string[]
  /** What is wrong; empty in correct books. */
  readonly faults: readonly string[]
}

/**
 * Checks everything that must always be true of the books, and the sum of what was compared with the provider. All of it is read from one
 * snapshot, so it may run while services write.
 */
export async function checkBooks(client: pg.ClientBase): Promise<BooksReport> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    const { rows: totals } = await client.query<Totals>(TOTALS)
    const { rows: days } = await client.query<Days>(DAYS)
    const faults = [...(await violations(client)), ...days.filter(({ difference }) => difference !== '0').map(apart)]
    return { summary: [...totals.map(total), ...days.map(compared), `Faults: ${faults.length}`], faults }
  } finally {
    await client.query('ROLLBACK')
  }
}

interface Totals {
  readonly currency: Currency
  readonly entries: string
  readonly newest: Date
  readonly posted: string
  readonly held: string
}

interface Days {
  readonly currency: Currency
  readonly newest: Date
  readonly difference: string
}

const TOTALS = `
  SELECT p.currency, count(DISTINCT e.id) AS entries, max(e.at) AS newest, sum(p.amount_minor) AS posted,
    (SELECT coalesce(sum(hold_minor), 0) FROM escrow.transaction t WHERE t.currency = p.currency) AS held
  FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id GROUP BY p.currency ORDER BY p.currency`

const DAYS = `SELECT currency, max(day) AS newest, sum(ledger_minor - provider_minor) AS difference
  FROM escrow.provider_day GROUP BY currency ORDER BY currency`

function total({ currency, entries, newest, posted, held }: Totals): string {
  const [amount, holds] = [posted, held].map(minor => formatAmount(BigInt(minor), currency))
  return `${currency}: ${entries} journal entries until ${newest.toISOString()}, ${amount} posted, ${holds} held by deals`
}

const compared = ({ currency, newest, difference }: Days): string =>
  `${currency}: compared with the provider until ${newest.toISOString()}, difference ${formatAmount(BigInt(difference), currency)}`

const apart = ({ currency, difference }: Days): string =>
  `our books and the provider’s differ by ${formatAmount(BigInt(difference), currency)} ${currency}: docs/runbooks/provider-difference.md`
