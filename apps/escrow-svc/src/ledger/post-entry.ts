import { newId } from '@holdfast/kernel/ids'
import type { Currency } from '@holdfast/kernel/money'
import type { EntityManager } from 'typeorm'
import type { JournalEntry } from './domain/journal.js'

/**
 * Posts an entry in the caller's dbTx, for steps that are not commands of a deal: the provider's fees, confirmed refunds, payouts,
 * adjustments.
 *
 * @param dealId null for an entry that belongs to no single deal
 * @returns the entry's id
 */
export async function postEntry(
  manager: EntityManager,
  dealId: number | null,
  currency: Currency,
  entry: JournalEntry,
  at: Date,
): Promise<string> {
  const id = newId()
  await manager.query('INSERT INTO journal_entry (id, transaction_id, kind, at) VALUES ($1, $2, $3, $4)', [
    id,
    dealId,
    entry.kind,
    at,
  ])
  await manager.query(
    `INSERT INTO posting (entry_id, n, debit, credit, currency, amount_minor)
     SELECT $1, p.n, p.debit, p.credit, $2, p.amount
     FROM unnest($3::text[], $4::text[], $5::bigint[]) WITH ORDINALITY p(debit, credit, amount, n)`,
    [
      id,
      currency,
      entry.postings.map(p => p.debit),
      entry.postings.map(p => p.credit),
      entry.postings.map(p => p.amountMinor.toString()),
    ],
  )
  return id
}
