import { newId } from '@holdfast/kernel/ids'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'

describe('payouts to our bank, and fees', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const balanceOf = async (account: string) =>
    (
      await escrow.row<{ balance: number }>(
        `SELECT coalesce(sum(CASE WHEN credit = $1 THEN amount_minor ELSE -amount_minor END), 0)::int AS balance
         FROM escrow.posting WHERE $1 IN (debit, credit)`,
        [account],
      )
    ).balance

  it('a payout to our bank is posted once, and again the other way when our bank returns it', async () => {
    const payouts = new SellerPayouts(escrow)
    await payouts.sell(userActor())
    await escrow.dependencies.control('/platform-payouts', { amount: 500 })
    await payouts.sendEvents('payout.')
    expect(await balanceOf('custodian_cash')).toBe(0)
    const payout = escrow.sandbox.context.state.payouts.newestFirst()[0]!
    await escrow.dependencies.control(`/payouts/${payout.id}/settle`)
    await payouts.sendEvents('payout.', { reversed: true })
    await payouts.sendEvents('payout.')
    expect(await balanceOf('custodian_cash')).toBe(-500)
    await escrow.dependencies.control(`/payouts/${payout.id}/fail`)
    await payouts.sendEvents('payout.', { reversed: true })
    expect(await balanceOf('custodian_cash')).toBe(0)
    expect(await escrow.violations()).toEqual([])
  })

  it('a payout to our bank is not posted with another amount than before', async () => {
    const before = await balanceOf('custodian_cash')
    const report = (type: string, status: string, amount: number) => {
      const object = { id: 'po_own', object: 'payout', amount, currency: 'usd', status, created: 1, failure_code: null }
      const event = { id: `evt_${newId()}`, object: 'event', type, livemode: false, data: { object } }
      return escrow.webhook(event)
    }
    await report('payout.paid', 'paid', 500)
    expect(await report('payout.failed', 'failed', 400)).toMatchObject({ status: 200 })
    expect(await balanceOf('custodian_cash')).toBe(before - 500)
    await report('payout.failed', 'failed', 500)
    expect(await balanceOf('custodian_cash')).toBe(before)
  })

  it('the fee of a chargeback is our cost, until the bank decides for us', async () => {
    const payouts = new SellerPayouts(escrow)
    const before = await balanceOf('provider_costs')
    const { intent } = await payouts.sell(userActor())
    await escrow.dependencies.control(`/payments/${intent}/dispute`)
    await escrow.sendProviderEvents(intent, 'charge.dispute.')
    await escrow.sendProviderEvents(intent, 'charge.dispute.')
    expect(await balanceOf('provider_costs')).toBe(before - 1500)
    const dispute = escrow.sandbox.context.state.disputes.newestFirst()[0]!
    await escrow.dependencies.control(`/disputes/${dispute.id}/close`, { outcome: 'won' })
    await escrow.sendProviderEvents(intent, 'charge.dispute.')
    expect(await balanceOf('provider_costs')).toBe(before)
    expect(await escrow.violations()).toEqual([])
  })
})
