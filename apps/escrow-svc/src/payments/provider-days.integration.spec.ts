import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { userActor } from '@holdfast/testing/signed-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RunningEscrow } from '../../test/running-escrow.js'
import { GOOD_BANK, SellerPayouts } from '../../test/seller-payouts.js'
import { ProviderDaysService } from './provider-days.service.js'
import { ProviderFeesService } from './provider-fees.service.js'
import { RefundsService } from './refunds.service.js'

const DAY_MS = 86_400_000

describe('the comparison of a day with the provider', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const compareToday = async () => {
    // A test that runs over midnight would compare an empty day.
    await escrow.row('DELETE FROM escrow.provider_day RETURNING 1')
    const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)
    const [usd] = await escrow.service.app.get(ProviderDaysService).compare(today)
    return usd!
  }
  const postFees = async () => {
    const fees = escrow.service.app.get(ProviderFeesService)
    await escrow.row('UPDATE escrow.payment SET fee_due_at = now() WHERE fee_due_at IS NOT NULL RETURNING 1')
    for (const { id } of await fees.due(0, 100)) await fees.record(id)
  }

  it('finds no difference after charges, fees, refunds, chargebacks and payouts, and one that we did not book', async () => {
    const seller = await payouts.seller(GOOD_BANK)
    await payouts.sell(seller)
    await payouts.sell(userActor())
    const { body: arrived } = await payouts.request(seller)
    await payouts.reach(arrived.id, 'in_transit')
    await payouts.atBank(arrived.id, 'settle')
    await payouts.sell(seller, '50.00')
    const { body: returned } = await payouts.request(seller)
    await payouts.reach(returned.id, 'in_transit')
    await payouts.atBank(returned.id, 'fail')
    await payouts.sendEvents('payout.')
    await payouts.reach(returned.id, 'returned')

    const refunded = await escrow.paidAtProvider()
    await escrow.act(refunded.id, refunded.seller, 'refund')
    const { id: refundId } = await escrow.row<{ id: string }>(
      'SELECT id FROM escrow.refund WHERE transaction_id = $1',
      [refunded.id],
    )
    await escrow.service.app.get(RefundsService).send(refundId)
    const charged = await escrow.paidAtProvider()
    await escrow.dependencies.control(`/payments/${charged.intent}/dispute`)
    await escrow.sendProviderEvents(charged.intent, 'charge.dispute.')
    await escrow.dependencies.control('/platform-payouts', { amount: 700 })
    await payouts.sendEvents('payout.')
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

  it('is made for each day once, in order, after its end', async () => {
    const days = escrow.service.app.get(ProviderDaysService)
    await escrow.row('DELETE FROM escrow.provider_day RETURNING 1')
    const [first] = await days.due(DAY_MS)
    await days.compareIfDue(first!.id)
    const [second] = await days.due(2 * DAY_MS)
    const isDue = first!.dueAt.getTime() <= Date.now()
    expect(Date.parse(second!.id) - Date.parse(first!.id)).toBe(isDue ? DAY_MS : 0)
    await days.compareIfDue(first!.id)
    await days.compareIfDue(second!.id)
    expect(await escrow.row('SELECT count(*)::int AS n FROM escrow.provider_day')).toEqual({ n: isDue ? 1 : 0 })
  })
})
