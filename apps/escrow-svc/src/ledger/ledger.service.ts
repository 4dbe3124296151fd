import type { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import type { Output, Parsed } from '@holdfast/contracts/route'
import type { LedgerPosting } from '@holdfast/contracts/transactions'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { type Account, type AccountKind, PARTY_ENTRY_KINDS, type PartyEntryKind } from '@holdfast/kernel/ledger'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'
import { LedgerTotals } from './ledger-totals.js'
import { type AccountRow, readAccounts, readStatement } from './statements.js'

interface PostingRow {
  entry_id: string
  kind: PartyEntryKind
  debit: Account
  credit: Account
  currency: Currency
  amount_minor: string
  at: Date
}

type StatementLines = Output<typeof escrowAdminRoutes.getStatement>
type StatementQuery = Parsed<typeof escrowAdminRoutes.getStatement>['query']
type FoundAccounts = Output<typeof escrowAdminRoutes.listAccounts>

/** The most deals of a user whose accounts a search shows. */
const MAX_SEARCHED_DEALS = 50

/** The kinds that have an account for each deal, seller, payment or payout. */
const KINDS_OF_SUBJECTS: ReadonlySet<AccountKind> = new Set([
  'hold',
  'seller_payable',
  'refund_due',
  'unapplied',
  'payout_in_transit',
])

/** The names of the accounts in the product. */
const LABELS: Record<AccountKind, string> = {
  provider_clearing: 'Payment provider',
  crypto_clearing: 'Crypto processor',
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
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly totals: LedgerTotals,
  ) {}

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

  /** A page of the lines of an account, newest first, each with the balance after it. */
  async statement(account: string, query: StatementQuery): Promise<StatementLines> {
    const { currency } = query
    const rows = await readStatement(this.dataSource.manager, account, query)
    return rows.map(row => ({
      position: Number(row.position),
      entryId: row.entry_id,
      entry: row.kind as StatementLines[number]['entry'],
      transactionId: row.transaction_id === null ? null : Number(row.transaction_id),
      other: row.credit === account ? row.debit : row.credit,
      side: row.credit === account ? 'credit' : 'debit',
      amount: formatAmount(BigInt(row.amount_minor), currency),
      balance: formatAmount(BigInt(row.balance), currency),
      currency,
      at: row.at.toISOString(),
    }))
  }

  /**
   * The accounts that have to do with a deal, a user or a payment. Without a search, and for a name, the product's own ones.
   *
   * @param q the id of a deal, a user or a payment, or an account's name
   */
  async accounts(q: string | undefined): Promise<FoundAccounts> {
    const { manager } = this.dataSource
    if (q === undefined) return this.#ownAccounts()
    const ids: { id: string }[] = await manager.query(DEALS_OF, [/^\d{1,15}$/.test(q) ? q : null, uuidOf(q)])
    const named = UUID_PATTERN.test(q) ? [`seller_payable:${q}`, `unapplied:${q}`] : [q]
    const rows = await readAccounts(
      manager,
      ids.map(({ id }) => Number(id)),
      named,
    )
    return rows.map(toFoundAccount)
  }

  /** The product's own accounts: those that belong to no deal, seller, payment or payout. Each is the only one of its kind. */
  async #ownAccounts(): Promise<FoundAccounts> {
    const { kinds } = await this.totals.exact()
    return kinds
      .filter(({ kind }) => !KINDS_OF_SUBJECTS.has(kind))
      .map(({ kind, currency, debits, credits }) =>
        toFoundAccount({ account: kind, currency, debits: `${debits}`, credits: `${credits}` }),
      )
  }

  /**
   * Debits, credits and balance (credits less debits) of every kind of account, per currency. Every posting balances, so the
   * total is always zero. `heldByDeals` is the sum of the deals' own balances: if it differs from the balance of the `hold`
   * accounts, that is an incident.
   */
  async trialBalance() {
    const { kinds, heldByDeals } = await this.totals.exact()
    const currencies = [...new Set(kinds.map(({ currency }) => currency))]
    return currencies.map(currency => {
      const own = kinds.filter(each => each.currency === currency)
      const format = (minor: bigint) => formatAmount(minor, currency)
      return {
        currency,
        total: format(own.reduce((sum, { debits, credits }) => sum + credits - debits, 0n)),
        heldByDeals: format(heldByDeals.get(currency) ?? 0n),
        accounts: own.map(({ kind, debits, credits }) => ({
          kind,
          debits: format(debits),
          credits: format(credits),
          balance: format(credits - debits),
        })),
      }
    })
  }
}

const uuidOf = (q: string) => (UUID_PATTERN.test(q) ? q : null)

/** A deal by its id, those of a user, and that of a payment. */
const DEALS_OF = `
  SELECT id FROM transaction WHERE id = $1::bigint
  UNION SELECT transaction_id FROM payment WHERE id = $2::uuid
  UNION (SELECT id FROM transaction WHERE buyer_id = $2::uuid ORDER BY id DESC LIMIT ${MAX_SEARCHED_DEALS})
  UNION (SELECT id FROM transaction WHERE seller_id = $2::uuid ORDER BY id DESC LIMIT ${MAX_SEARCHED_DEALS})`

function toFoundAccount({ account, currency, debits, credits }: AccountRow): FoundAccounts[number] {
  const format = (minor: bigint) => formatAmount(minor, currency)
  const [debited, credited] = [BigInt(debits), BigInt(credits)]
  const kind = account.split(':')[0] as AccountKind
  return {
    account,
    kind,
    currency,
    debits: format(debited),
    credits: format(credited),
    balance: format(credited - debited),
  }
}

function toAccount(account: Account): { kind: AccountKind; label: string } {
  const kind = account.split(':')[0] as AccountKind
  return { kind, label: LABELS[kind] }
}
