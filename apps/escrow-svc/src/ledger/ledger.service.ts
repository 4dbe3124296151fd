import type { LedgerPosting } from '@holdfast/contracts/transactions'
import { type Account, type AccountKind, PARTY_ENTRY_KINDS, type PartyEntryKind } from '@holdfast/kernel/ledger'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'

interface PostingRow {
  entry_id: string
  kind: PartyEntryKind
  debit: Account
  credit: Account
  currency: Currency
  amount_minor: string
  at: Date
}

/** The names of the accounts in the product. */
const LABELS: Record<AccountKind, string> = {
  provider_clearing: 'Payment provider',
  provider_costs: 'Holdfast’s own money',
  custodian_cash: 'Custodian',
  hold: 'Held in escrow',
  seller_payable: 'Seller’s balance',
  revenue: 'Holdfast’s fees',
  refund_due: 'Refund to the buyer',
  unapplied: 'Payment to be returned',
  chargeback_receivable: 'Buyer’s bank',
  payout_in_transit: 'On its way to the seller’s bank',
}

/** Reads of the ledger. */
@Injectable()
export class LedgerService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The postings of a deal that its parties see, oldest first. The caller checks who may see them. */
  async ofDeal(dealId: number): Promise<z.input<typeof LedgerPosting>[]> {
    const rows: PostingRow[] = await this.dataSource.query(
      `SELECT e.id AS entry_id, e.kind, p.debit, p.credit, p.currency, p.amount_minor, e.at
       FROM journal_entry e JOIN posting p ON p.entry_id = e.id
       WHERE e.transaction_id = $1 AND e.kind = ANY($2) ORDER BY e.at, e.id, p.n`,
      [dealId, PARTY_ENTRY_KINDS],
    )
    return rows.map(row => ({
      entryId: row.entry_id,
      entry: row.kind,
      debit: toAccount(row.debit),
      credit: toAccount(row.credit),
      amount: formatAmount(BigInt(row.amount_minor), row.currency),
      currency: row.currency,
      at: row.at.toISOString(),
    }))
  }

  /**
   * Debits, credits and balance (credits less debits) of every kind of account, per currency. Every posting balances, so the
   * total is always zero. `heldByDeals` is the sum of the deals' own balances, read by the same statement: if it differs
   * from the balance of the `hold` accounts, that is an incident.
   */
  async trialBalance() {
    const rows: { currency: Currency; kind: AccountKind; debits: string; credits: string; held: string }[] =
      await this.dataSource.query(TRIAL_BALANCE)
    const currencies = [...new Set(rows.map(row => row.currency))]
    return currencies.map(currency => {
      const own = rows.filter(row => row.currency === currency)
      const format = (minor: bigint) => formatAmount(minor, currency)
      const balance = (row: (typeof own)[number]) => BigInt(row.credits) - BigInt(row.debits)
      return {
        currency,
        total: format(own.reduce((sum, row) => sum + balance(row), 0n)),
        heldByDeals: format(BigInt(own[0]!.held)),
        accounts: own.map(row => ({
          kind: row.kind,
          debits: format(BigInt(row.debits)),
          credits: format(BigInt(row.credits)),
          balance: format(balance(row)),
        })),
      }
    })
  }
}

const TRIAL_BALANCE = `
  SELECT currency, kind, sum(debit) AS debits, sum(credit) AS credits,
    (SELECT coalesce(sum(hold_minor), 0) FROM transaction t WHERE t.currency = sides.currency) AS held
  FROM (
    SELECT currency, split_part(debit, ':', 1) AS kind, amount_minor AS debit, 0 AS credit FROM posting
    UNION ALL SELECT currency, split_part(credit, ':', 1), 0, amount_minor FROM posting
  ) sides GROUP BY currency, kind ORDER BY currency, kind`

function toAccount(account: Account): { kind: AccountKind; label: string } {
  const kind = account.split(':')[0] as AccountKind
  return { kind, label: LABELS[kind] }
}
