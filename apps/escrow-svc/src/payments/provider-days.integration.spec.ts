import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { userActor } from '@holdfast/testing/signed-client'
import { Timers } from '@holdfast/timers/timers'
import { makeMovements } from '../../test/provider-movements.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'
import { SubscriptionFeesService } from '../billing/subscription-fees.service.js'
import { FeesByCharge1799785000801 } from '../migrations/1799785000801-fees-by-charge.js'
import { ProviderDaysService } from './provider-days.service.js'
import { ProviderFeesService } from './provider-fees.service.js'

const DAY_MS = 86_400_000

describe('the comparison of a day with the provider', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
    // They would compare days, too.
    await escrow.service.app.get(Timers).stop()
  })
  afterAll(() => escrow.stop())

  const days = () => escrow.service.app.get(ProviderDaysService)
  /** The beginning of the day that is so many days before today. */
  const dayBefore = (n: number) => new Date((Math.floor(Date.now() / DAY_MS) - n) * DAY_MS)
  const compareToday = async () => {
    // A test that runs over midnight would compare an empty day.
    await sql('DELETE FROM escrow.provider_day')
    const [usd] = await days().compare(dayBefore(0))
    return usd!
  }
  const sql = (text: string, values: unknown[] = []) => escrow.database.admin.query(text, values)
  const postFees = async () => {
    const fees = escrow.service.app.get(ProviderFeesService)
    await escrow.row('UPDATE escrow.payment SET fee_due_at = now() WHERE fee_due_at IS NOT NULL RETURNING 1')
    for (const { id } of await fees.due(0, 100)) await fees.record(id)
    const ofPremium = escrow.service.app.get(SubscriptionFeesService)
    for (const { id } of await ofPremium.due(0, 100)) await ofPremium.record(id)
  }

  it('finds no difference after charges, fees, refunds, chargebacks and payouts, and one that we did not book', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    await payouts.sell(userActor())
    const { body: arrived } = await payouts.request(seller)
    await payouts.reach(arrived.id, 'in_transit')
    await payouts.atBank(arrived.id, 'settle')
    await makeMovements(escrow, seller)
    await postFees()

    const before = await compareToday()
    expect(before.ledgerMinor).toBe(before.providerMinor)
    expect(before.providerMinor).not.toBe(0n)

    // An event that never came: the provider has refunded 1.00 and our books do not know it.
    const unknown = await escrow.paidAtProvider()
    await escrow.dependencies.control(`/payments/${unknown.intent}/refund`, { amount: 100 })
    await postFees()
    const after = await compareToday()
    expect(after.ledgerMinor - after.providerMinor).toBe(100n)
    const metric = await registry.getSingleMetric('ledger_provider_difference')?.get()
    expect(metric?.values).toMatchObject([{ labels: { currency: 'USD' }, value: 100 }])
  })

  it('counts a fee on the day of its charge, whenever it was posted', async () => {
    await escrow.paidAtProvider()
    await postFees()
    const before = await compareToday()
    await sql(`UPDATE escrow.journal_entry SET at = at + interval '1 day' WHERE kind = 'provider_fee'`)
    expect(await compareToday()).toEqual(before)
  })

  it('counts them so in the days that an earlier release has compared, too', async () => {
    const { ledgerMinor } = await compareToday()
    const { fees } = await escrow.row<{ fees: number }>(
      `SELECT sum(p.amount_minor)::int AS fees FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
        WHERE e.kind = 'provider_fee' AND p.credit = 'provider_clearing'`,
    )
    await sql('UPDATE escrow.provider_day SET ledger_minor = ledger_minor + $1', [fees])
    await sql(`INSERT INTO escrow.provider_day VALUES ($1, 'USD', 0, $2, now())`, [dayBefore(-1), -fees])
    await new FeesByCharge1799785000801().up(escrow.database.admin as never)
    const { rows } = await sql('SELECT ledger_minor::int AS minor FROM escrow.provider_day ORDER BY day')
    expect(rows).toEqual([{ minor: Number(ledgerMinor) }, { minor: 0 }])
  })

  it('posts fees of our account once, by whichever replica, and nothing else that has no event', async () => {
    const replica = await escrow.startReplica()
    const before = await compareToday()
    const take = (amount: number, type: string) => escrow.dependencies.control('/platform-movements', { amount, type })
    await take(-2500, 'stripe_fee')
    await take(-300, 'tax_fee')
    await take(-200, 'stripe_fx_fee')
    await take(100, 'stripe_fee')
    await take(7000, 'topup')
    try {
      await Promise.all([days(), replica.app.get(ProviderDaysService)].map(each => each.compare(dayBefore(0))))
    } finally {
      await replica.close()
    }
    const after = await compareToday()
    expect(after.ledgerMinor - before.ledgerMinor).toBe(-2900n)
    expect(after.providerMinor - before.providerMinor).toBe(4100n)
    expect(
      (
        await sql(
          `SELECT p.debit, p.credit, p.amount_minor::int AS amount FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
            WHERE e.kind = 'account_fee' ORDER BY amount`,
        )
      ).rows,
    ).toEqual([
      { debit: 'provider_clearing', credit: 'provider_costs', amount: 100 },
      ...[200, 300, 2500].map(amount => ({ debit: 'provider_costs', credit: 'provider_clearing', amount })),
    ])
    expect(await escrow.violations()).toEqual([])
  })

  it('is made for each day in order, after its end', async () => {
    await sql('DELETE FROM escrow.provider_day')
    const [first] = await days().due(DAY_MS)
    await days().compareIfDue(first!.id)
    const [second] = await days().due(2 * DAY_MS)
    const isDue = first!.dueAt.getTime() <= Date.now()
    expect(Date.parse(second!.id) - Date.parse(first!.id)).toBe(isDue ? DAY_MS : 0)
    await days().compareIfDue(second!.id)
    expect(await escrow.row('SELECT count(*)::int AS n FROM escrow.provider_day')).toEqual({ n: isDue ? 1 : 0 })
  })

  /** Days that were each compared when they became due, and found to differ by 1.00. The newest ended a day before yesterday. */
  const compared = async (count: number) => {
    await sql('DELETE FROM escrow.provider_day')
    for (let n = 2; n < 2 + count; n++)
      await sql(`INSERT INTO escrow.provider_day VALUES ($1, 'USD', 100, 200, $1::timestamptz + interval '25 hours')`, [
        dayBefore(n),
      ])
  }
  const differing = async () => {
    const { rows } = await sql('SELECT day FROM escrow.provider_day WHERE ledger_minor <> provider_minor ORDER BY day')
    return rows.map(({ day }) => day)
  }

  it('is made again for the last seven days, so that what came late evens out', async () => {
    await compared(9)
    const due = await days().due(0)
    expect(due.slice(0, 7).map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9].map(n => dayBefore(n).toISOString()))
    expect(due.every(({ dueAt }) => dueAt.getTime() <= Date.now())).toBe(true)
    for (const { id } of due.slice(0, 7)) await days().compareIfDue(id)
    expect(await differing()).toEqual([dayBefore(10), dayBefore(2)])
    const metric = await registry.getSingleMetric('ledger_provider_difference')?.get()
    expect(metric?.values).toMatchObject([{ labels: { currency: 'USD' }, value: 200 }])
    expect((await days().due(0)).filter(({ id }) => id < dayBefore(2).toISOString())).toEqual([])
  })

  it('is made again by one replica, once until the next day, also when the provider fails', async () => {
    await compared(3)
    const [third, fourth] = (await days().due(0)).map(({ id }) => id)
    await escrow.dependencies.control('/faults', { kind: 'error', path: '/v1/balance_transactions' })
    await expect(days().compareIfDue(third!)).rejects.toThrow('PAYMENT_PROVIDER_UNAVAILABLE')
    await days().compareIfDue(third!)
    await Promise.all([days().compareIfDue(fourth!), days().compareIfDue(fourth!)])
    expect(await differing()).toEqual([dayBefore(3), dayBefore(2)])
  })
})
