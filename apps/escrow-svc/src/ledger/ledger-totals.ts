import { uuidv7From } from '@holdfast/kernel/ids'
import type { AccountKind } from '@holdfast/kernel/ledger'
import type { Currency } from '@holdfast/kernel/money'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/**
 * Entries older than this are summed once. Their ids have the time of a replica's clock, which is close to the database's, and a statement
 * that writes them ends long before.
 */
const SETTLED_AFTER_MS = 10 * 60 * 1000
/** A statement reads so many postings at most: one that read a large ledger would be stopped. */
const POSTINGS_AT_ONCE = 100_000
/** The old postings are summed again after so many times as long as that took, so it takes 2 % of a connection's time. */
const PAUSE_PER_WORK = 50

/** What was debited and credited in the accounts of a kind, in minor units. */
export interface KindTotal {
  readonly currency: Currency
  readonly kind: AccountKind
  readonly debits: bigint
  readonly credits: bigint
}

/** The sums of the ledger, and what the deals' own rows say that they hold. */
export interface Totals {
  readonly kinds: readonly KindTotal[]
  readonly heldByDeals: ReadonlyMap<Currency, bigint>
}

/** A row of the statements below. `numeric` is text. */
interface Row {
  readonly currency: Currency
  readonly kind: AccountKind
  readonly debits: string
  readonly credits: string
}

/** The sums of the postings with ids below `before`. */
interface Settled {
  readonly before: string
  readonly kinds: readonly KindTotal[]
}

/**
 * The sums over the whole ledger. Postings are only added, so those that are settled are summed once and kept in this process, and each
 * measurement reads the newer ones. What was changed by hand among the settled ones is found when they are summed again: after 50 times as
 * long as that takes, which is at the next measurement in a small ledger, and eight minutes at a million deals.
 */
@Injectable()
export class LedgerTotals {
  #settled: Settled | undefined
  #againAtMs = Number.NEGATIVE_INFINITY

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** The totals now. A difference between the deals and the ledger is answered only after every posting was read. */
  async now(): Promise<Totals> {
    const isDue = this.#settled === undefined || performance.now() >= this.#againAtMs
    if (isDue) return this.exact()
    const totals = await this.#add(this.#settled!)
    return isBalanced(totals) ? totals : this.exact()
  }

  /** The totals now, with every posting read again. */
  async exact(): Promise<Totals> {
    const startedAtMs = performance.now()
    const settled = await this.#sumSettled()
    const totals = await this.#add(settled)
    const doneAtMs = performance.now()
    this.#settled = settled
    this.#againAtMs = doneAtMs + (doneAtMs - startedAtMs) * PAUSE_PER_WORK
    return totals
  }

  async #sumSettled(): Promise<Settled> {
    const before = uuidv7From(this.clock.now().getTime() - SETTLED_AFTER_MS, new Uint8Array(10))
    const parts: KindTotal[] = []
    for (let last: Position | undefined = FIRST; last; ) {
      const parameters: unknown[] = [last.entry_id, last.n, before, POSTINGS_AT_ONCE]
      const rows: (Row & Position & { postings: number })[] = await this.dataSource.query(PART, parameters)
      parts.push(...rows.map(totalOf))
      const [row] = rows
      last = row && row.postings === POSTINGS_AT_ONCE ? row : undefined
    }
    return { before, kinds: summed(parts) }
  }

  /** The settled postings and those since. The statement reads the deals and the newer postings from one snapshot. */
  async #add({ before, kinds }: Settled): Promise<Totals> {
    const rows: (Row & { held: boolean })[] = await this.dataSource.query(NEWER, [before])
    const held = rows.filter(row => row.held)
    return {
      kinds: summed([...kinds, ...rows.filter(row => !row.held).map(totalOf)]),
      heldByDeals: new Map(held.map(({ currency, credits }) => [currency, BigInt(credits)])),
    }
  }
}

/** What the deals say that they hold, less what the ledger says, by currency. */
export function imbalances({ kinds, heldByDeals }: Totals): Map<Currency, bigint> {
  const currencies = new Set([...kinds.map(({ currency }) => currency), ...heldByDeals.keys()])
  return new Map(
    [...currencies].map(currency => [currency, (heldByDeals.get(currency) ?? 0n) - balanceOf(kinds, currency, 'hold')]),
  )
}

/** Credits less debits of the accounts of a kind in a currency. */
export function balanceOf(kinds: readonly KindTotal[], currency: Currency, kind: AccountKind): bigint {
  const total = kinds.find(each => each.currency === currency && each.kind === kind)
  return total ? total.credits - total.debits : 0n
}

const isBalanced = (totals: Totals): boolean => [...imbalances(totals).values()].every(difference => difference === 0n)

/** A posting, in the order of ids. */
interface Position {
  readonly entry_id: string
  readonly n: number
}
const FIRST: Position = { entry_id: '00000000-0000-0000-0000-000000000000', n: 0 }

/** The two sides of postings, by kind of account. */
const sides = (postings: string): string => `
  SELECT currency, kind, sum(debit) AS debits, sum(credit) AS credits FROM (
    SELECT currency, split_part(debit, ':', 1) AS kind, amount_minor AS debit, 0 AS credit FROM ${postings} one
    UNION ALL SELECT currency, split_part(credit, ':', 1), 0, amount_minor FROM ${postings} other
  ) side GROUP BY currency, kind`

/** A part of the settled postings: those after one. Each row also has the last one of the part, and how many the part has. */
const PART = `
  WITH part AS MATERIALIZED (
    SELECT entry_id, n, debit, credit, currency, amount_minor FROM posting
     WHERE (entry_id, n) > ($1::uuid, $2::smallint) AND entry_id < $3::uuid ORDER BY entry_id, n LIMIT $4
  ), last AS (SELECT entry_id, n FROM part ORDER BY entry_id DESC, n DESC LIMIT 1)
  SELECT total.*, last.entry_id, last.n, (SELECT count(*)::int FROM part) AS postings FROM (${sides('part')}) total, last`

/** The newer postings, and the holds of the deals: the few deals that hold money have an index. */
const NEWER = `
  WITH part AS MATERIALIZED (SELECT debit, credit, currency, amount_minor FROM posting WHERE entry_id >= $1::uuid)
  SELECT currency, kind, debits, credits, false AS held FROM (${sides('part')}) total
  UNION ALL SELECT currency, 'hold', 0, sum(hold_minor), true FROM transaction WHERE hold_minor > 0 GROUP BY currency`

const totalOf = ({ currency, kind, debits, credits }: Row): KindTotal => ({
  currency,
  kind,
  debits: BigInt(debits),
  credits: BigInt(credits),
})

function summed(parts: readonly KindTotal[]): KindTotal[] {
  const sums = new Map<string, KindTotal>()
  for (const part of parts) {
    const key = `${part.currency} ${part.kind}`
    const sum = sums.get(key)
    sums.set(key, sum ? { ...sum, debits: sum.debits + part.debits, credits: sum.credits + part.credits } : part)
  }
  return [...sums.values()].sort((a, b) => `${a.currency} ${a.kind}`.localeCompare(`${b.currency} ${b.kind}`))
}
