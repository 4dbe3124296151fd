import type { LedgerPosting } from '@holdfast/contracts/transactions'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import type { AccountKind } from '@holdfast/kernel/transactions'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'

interface PostingRow {
  entry_id: string
  kind: string
  debit: string
  credit: string
  currency: Currency
  amount_minor: string
  at: Date
}

/** What a party is shown: their own deal's money. What a charge costs us, and money that strayed to others, is ours. */
const FOR_PARTIES = ['charge', 'release', 'refund', 'refund_confirmed', 'refund_returned']

/** Accounts in the words of the product. */
const LABELS: Record<AccountKind, string> = {
  provider_clearing: 'Payment provider',
  provider_costs: 'Provider’s fees',
  custodian_cash: 'Custodian',
  hold: 'Held in escrow',
  seller_payable: 'Seller’s balance',
  revenue: 'Holdfast’s fees',
  refund_due: 'Refund to the buyer',
  unapplied: 'Payment to be returned',
}

/** Reads of the ledger. Writing is part of the commands, and only ever adds. */
@Injectable()
export class LedgerService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The postings of a deal that concern its parties, oldest first. Who may ask is decided before. */
  async ofDeal(transactionId: number): Promise<z.input<typeof LedgerPosting>[]> {
    const rows: PostingRow[] = await this.dataSource.query(
      `SELECT e.id AS entry_id, e.kind, p.debit, p.credit, p.currency, p.amount_minor, e.at
       FROM journal_entry e JOIN posting p ON p.entry_id = e.id
       WHERE e.transaction_id = $1 AND e.kind = ANY($2) ORDER BY e.at, e.id, p.n`,
      [transactionId, FOR_PARTIES],
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
   * Every account kind's debits, credits and balance (credits less debits) per currency. Since each posting is balanced
   * by its shape the total is zero; that the holds also equal the deals' own balances is what `findImbalance` proves.
   */
  async trialBalance() {
    const rows: { currency: Currency; kind: AccountKind; debits: string; credits: string }[] =
      await this.dataSource.query(
        `SELECT currency, kind, sum(debit) AS debits, sum(credit) AS credits FROM (
         SELECT currency, split_part(debit, ':', 1) AS kind, amount_minor AS debit, 0 AS credit FROM posting
         UNION ALL SELECT currency, split_part(credit, ':', 1), 0, amount_minor FROM posting
       ) sides GROUP BY currency, kind ORDER BY currency, kind`,
      )
    const currencies = [...new Set(rows.map(row => row.currency))]
    return currencies.map(currency => {
      const own = rows.filter(row => row.currency === currency)
      const write = (minor: bigint) => formatAmount(minor, currency)
      const balance = (row: (typeof own)[number]) => BigInt(row.credits) - BigInt(row.debits)
      return {
        currency,
        total: write(own.reduce((sum, row) => sum + balance(row), 0n)),
        accounts: own.map(row => ({
          kind: row.kind,
          debits: write(BigInt(row.debits)),
          credits: write(BigInt(row.credits)),
          balance: write(balance(row)),
        })),
      }
    })
  }

  /** Deals whose hold differs from the sum of its postings. Anything in this list is an incident. */
  async findImbalance(limit: number): Promise<{ transactionId: number; holdMinor: bigint; postedMinor: bigint }[]> {
    const rows: { id: string; hold_minor: string; posted: string }[] = await this.dataSource.query(
      `SELECT t.id, t.hold_minor, coalesce(h.posted, 0) AS posted FROM transaction t LEFT JOIN (
         SELECT account, sum(amount) AS posted FROM (
           SELECT credit AS account, amount_minor AS amount FROM posting WHERE credit LIKE 'hold:%'
           UNION ALL SELECT debit, -amount_minor FROM posting WHERE debit LIKE 'hold:%'
         ) sides GROUP BY account
       ) h ON h.account = 'hold:' || t.id WHERE t.hold_minor <> coalesce(h.posted, 0) LIMIT $1`,
      [limit],
    )
    return rows.map(row => ({
      transactionId: Number(row.id),
      holdMinor: BigInt(row.hold_minor),
      postedMinor: BigInt(row.posted),
    }))
  }
}

function toAccount(account: string): { kind: AccountKind; label: string } {
  const kind = account.split(':')[0] as AccountKind
  return { kind, label: LABELS[kind] }
}
