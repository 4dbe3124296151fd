import { uuidv7From } from '@holdfast/kernel/ids'
import { type Currency, formatAmount, isCurrency } from '@holdfast/kernel/money'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { AccountFeesService } from './account-fees.service.js'
import { StripeProvider } from './stripe.provider.js'

/** A day is compared this long after its end: what happened at its end has been booked by then. */
const COMPARED_AFTER_DAYS = 1 / 24
/** So many days are compared again each day, because a movement may be listed or booked late. */
const COMPARED_AGAIN_DAYS = 7
/** The ids of entries have the time of a replica's clock, which is close to the time of the entry. */
const CLOCKS_APART_MS = 10 * 60 * 1000

/**
 * The movements of a day. The provider takes a payout from our balance when it is transferred or created; our books do so when the bank has it.
 * A fee is posted after the provider has taken it. The fee of a charge counts with its charge, and another fee at the provider's time.
 */
const OUR_DAY = `
  WITH entry AS (
    SELECT e.id, e.kind, e.transaction_id, p.debit, p.credit, p.currency, p.amount_minor
      FROM journal_entry e JOIN posting p ON p.entry_id = e.id
     WHERE e.id BETWEEN $3 AND $4 AND e.at >= $1 AND e.at < $2 AND 'provider_clearing' IN (p.debit, p.credit)
       AND e.kind NOT IN ('payout_paid', 'payout_returned', 'provider_payout', 'provider_payout_failed', 'provider_fee', 'account_fee')
  ), paid AS (
    SELECT deal.settled_payment_id AS payment_id, entry.currency FROM entry JOIN transaction deal ON deal.id = entry.transaction_id
     WHERE entry.kind = 'charge'
    UNION ALL SELECT substr(credit, length('unapplied:') + 1)::uuid, currency FROM entry WHERE kind = 'stray_payment'
  )
  SELECT currency, sum(amount) AS minor FROM (
    SELECT currency, CASE debit WHEN 'provider_clearing' THEN amount_minor ELSE -amount_minor END AS amount FROM entry
    UNION ALL SELECT paid.currency, -provider_fee_minor FROM paid JOIN payment ON payment.id = paid.payment_id
      WHERE provider_fee_minor IS NOT NULL
    UNION ALL SELECT currency, -provider_fee_minor FROM subscription_invoice
      WHERE paid_at >= $1 AND paid_at < $2 AND provider_fee_minor IS NOT NULL
    UNION ALL SELECT currency, -amount_minor FROM account_fee WHERE taken_at >= $1 AND taken_at < $2
    UNION ALL SELECT currency, -amount_minor FROM payout WHERE transferred_at >= $1 AND transferred_at < $2
    UNION ALL SELECT currency, amount_minor FROM payout WHERE reversed_at >= $1 AND reversed_at < $2
    UNION ALL SELECT currency, -amount_minor FROM provider_payout WHERE created_at >= $1 AND created_at < $2
    UNION ALL SELECT currency, amount_minor FROM provider_payout WHERE failed_at >= $1 AND failed_at < $2
  ) movement GROUP BY currency`

/**
 * Takes a day that is due, so that one replica compares it again and a day that fails is not tried before the next run. A day that was never
 * compared has no row: it is tried until it succeeds.
 */
const CLAIM = `
  WITH claimed AS (UPDATE provider_day SET compared_at = clock_timestamp() WHERE day = $1 AND compared_at < $2 RETURNING day)
  SELECT EXISTS (SELECT FROM claimed) OR NOT EXISTS (SELECT FROM provider_day WHERE day = $1) AS claimed`

/** A day as it was compared, in minor units. */
export interface ComparedDay {
  readonly currency: Currency
  readonly providerMinor: bigint
  readonly ledgerMinor: bigint
}

/**
 * Compares our books with the provider's, day by day: how our balance there has changed by our postings, and by the provider's own
 * list. What happens at midnight can fall into different days, so only the sum of all differences counts.
 */
@Injectable()
export class ProviderDaysService {
  private readonly log = loggerOf('provider-days')
  private readonly dayMs: number
  // Each replica reads what another one has compared.
  private readonly difference = gauge(
    'ledger_provider_difference',
    'What our books say of our balance at the provider, less what the provider says, over all days compared, in cents',
    ['currency'],
    () => this.measure(),
  )

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    private readonly accountFees: AccountFeesService,
    @Inject(CONFIG) config: EscrowConfig,
  ) {
    this.dayMs = config.DAY_SECONDS * 1000
  }

  /**
   * The days that are to be compared within a time from now, the earliest due time first. When the newest day has been compared, each of the
   * seven days before it is due once more. The day after the newest is due an hour after its end. The first day is the one before the first start.
   */
  async due(aheadMs: number): Promise<Deadline[]> {
    const now = await databaseTime(this.dataSource)
    const rows: { day: Date; compared_at: Date }[] = await this.dataSource.query(
      'SELECT day, min(compared_at) AS compared_at FROM provider_day GROUP BY day ORDER BY day DESC LIMIT $1',
      [COMPARED_AGAIN_DAYS + 1],
    )
    const [newest, ...earlier] = rows
    const today = Math.floor(now.getTime() / this.dayMs) * this.dayMs
    const next = newest ? newest.day.getTime() + this.dayMs : today - this.dayMs
    const again = newest ? this.dueAt(newest.day.getTime()) : now
    return [
      ...earlier
        .filter(({ compared_at }) => compared_at < again)
        .map(({ day }) => ({ id: day.toISOString(), dueAt: again })),
      { id: new Date(next).toISOString(), dueAt: this.dueAt(next) },
    ].filter(({ dueAt }) => dueAt.getTime() <= now.getTime() + aheadMs)
  }

  /** Compares a day, if it is due. */
  async compareIfDue(id: string): Promise<void> {
    const found = (await this.due(0)).find(each => each.id === id)
    if (!found) return
    const [row]: { claimed: boolean }[] = await this.dataSource.query(CLAIM, [id, found.dueAt])
    if (row!.claimed) await this.compare(new Date(id))
  }

  /**
   * Compares the day that begins at a time, and keeps the result in place of an earlier one. Posts the provider's fees of the day that belong
   * to no charge.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async compare(day: Date): Promise<ComparedDay[]> {
    const end = new Date(day.getTime() + this.dayMs)
    const { sums: theirs, accountFees } = await this.provider.balanceChanges(day, end)
    for (const fee of accountFees) await this.accountFees.record(fee)
    const ours: { currency: Currency; minor: string }[] = await this.dataSource.query(OUR_DAY, [
      day,
      end,
      uuidv7From(Math.max(0, day.getTime() - CLOCKS_APART_MS), new Uint8Array(10)),
      uuidv7From(end.getTime() + CLOCKS_APART_MS, new Uint8Array(10).fill(255)),
    ])
    const currencies = new Set<Currency>(['USD', ...theirs.keys(), ...ours.map(({ currency }) => currency)])
    const compared = [...currencies].filter(isCurrency).map(currency => ({
      currency,
      providerMinor: theirs.get(currency) ?? 0n,
      ledgerMinor: BigInt(ours.find(each => each.currency === currency)?.minor ?? 0),
    }))
    for (const each of compared) await this.keep(day, each)
    return compared
  }

  private async keep(day: Date, { currency, providerMinor, ledgerMinor }: ComparedDay): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO provider_day (day, currency, provider_minor, ledger_minor, compared_at)
       VALUES ($1, $2, $3, $4, clock_timestamp()) ON CONFLICT (day, currency) DO UPDATE
       SET provider_minor = excluded.provider_minor, ledger_minor = excluded.ledger_minor, compared_at = excluded.compared_at`,
      [day, currency, providerMinor.toString(), ledgerMinor.toString()],
    )
    if (providerMinor === ledgerMinor) return
    this.log.warn(
      {
        day: day.toISOString(),
        currency,
        provider: formatAmount(providerMinor, currency),
        ledger: formatAmount(ledgerMinor, currency),
      },
      'our books and the provider’s differ for a day: an operator must look if the next days do not even it out',
    )
  }

  /** When the day that begins at a time is compared for the first time. */
  private dueAt(dayMs: number): Date {
    return new Date(dayMs + this.dayMs * (1 + COMPARED_AFTER_DAYS))
  }

  private async measure(): Promise<void> {
    const rows: { currency: string; minor: string }[] = await this.dataSource.query(
      'SELECT currency, sum(ledger_minor - provider_minor) AS minor FROM provider_day GROUP BY currency',
    )
    for (const { currency, minor } of rows) this.difference.set({ currency }, Number(minor))
  }
}
