import { uuidv7From } from '@holdfast/kernel/ids'
import { type Currency, formatAmount, isCurrency } from '@holdfast/kernel/money'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { StripeProvider } from './stripe.provider.js'

/** A day is compared this long after its end: what happened at its end has been booked by then. */
const COMPARED_AFTER_DAYS = 1 / 24
/** The ids of entries have the time of a replica's clock, which is close to the time of the entry. */
const CLOCKS_APART_MS = 10 * 60 * 1000

const difference = gauge(
  'ledger_provider_difference',
  'What our books say of our balance at the provider, less what the provider says, over all days compared, in cents',
  ['currency'],
)

// The provider takes a payout from our balance when it is transferred or created; our books do so when the bank has it.
const OUR_DAY = `SELECT currency, sum(amount) AS minor FROM (
    SELECT p.currency, CASE p.debit WHEN 'provider_clearing' THEN p.amount_minor ELSE -p.amount_minor END AS amount
      FROM journal_entry e JOIN posting p ON p.entry_id = e.id
     WHERE e.id BETWEEN $3 AND $4 AND e.at >= $1 AND e.at < $2 AND 'provider_clearing' IN (p.debit, p.credit)
       AND e.kind NOT IN ('payout_paid', 'payout_returned', 'provider_payout', 'provider_payout_failed')
    UNION ALL SELECT currency, -amount_minor FROM payout WHERE transferred_at >= $1 AND transferred_at < $2
    UNION ALL SELECT currency, amount_minor FROM payout WHERE reversed_at >= $1 AND reversed_at < $2
    UNION ALL SELECT currency, -amount_minor FROM provider_payout WHERE created_at >= $1 AND created_at < $2
    UNION ALL SELECT currency, amount_minor FROM provider_payout WHERE failed_at >= $1 AND failed_at < $2
  ) movement GROUP BY currency`

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
export class ProviderDaysService implements OnApplicationBootstrap {
  private readonly log = loggerOf('provider-days')
  private readonly dayMs: number

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    @Inject(CONFIG) config: EscrowConfig,
  ) {
    this.dayMs = config.DAY_SECONDS * 1000
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.report()
  }

  /** The next day that is to be compared, if that is within a time from now. The first one is the day before the first start. */
  async due(aheadMs: number): Promise<Deadline[]> {
    const now = await databaseTime(this.dataSource)
    const [row]: { day: Date | null }[] = await this.dataSource.query('SELECT max(day) AS day FROM provider_day')
    const today = Math.floor(now.getTime() / this.dayMs) * this.dayMs
    const day = row?.day ? row.day.getTime() + this.dayMs : today - this.dayMs
    const dueAt = new Date(day + this.dayMs * (1 + COMPARED_AFTER_DAYS))
    return dueAt.getTime() <= now.getTime() + aheadMs ? [{ id: new Date(day).toISOString(), dueAt }] : []
  }

  /** Compares a day, if it is still the next one and is due. */
  async compareIfDue(id: string): Promise<void> {
    const [next] = await this.due(0)
    if (next?.id === id) await this.compare(new Date(id))
  }

  /**
   * Compares the day that begins at a time, and keeps the result. A day that was compared before keeps its result.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async compare(day: Date): Promise<ComparedDay[]> {
    const end = new Date(day.getTime() + this.dayMs)
    const theirs = await this.provider.balanceChanges(day, end)
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
    await this.report()
    return compared
  }

  private async keep(day: Date, { currency, providerMinor, ledgerMinor }: ComparedDay): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO provider_day (day, currency, provider_minor, ledger_minor, compared_at)
       VALUES ($1, $2, $3, $4, now()) ON CONFLICT DO NOTHING`,
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
      'our books and the provider’s differ for a day: an operator must look if the next day does not even it out',
    )
  }

  private async report(): Promise<void> {
    const rows: { currency: string; minor: string }[] = await this.dataSource.query(
      'SELECT currency, sum(ledger_minor - provider_minor) AS minor FROM provider_day GROUP BY currency',
    )
    for (const { currency, minor } of rows) difference.set({ currency }, Number(minor))
  }
}
