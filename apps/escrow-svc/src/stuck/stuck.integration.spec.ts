import type { StuckCase, stuckInternalRoutes } from '@holdfast/contracts/admin'
import type { Output } from '@holdfast/contracts/route'
import { newId } from '@holdfast/kernel/ids'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { userActor } from '@holdfast/testing/signed-client'
import { type ChargebackStep, chargeback, refundEvent } from '@holdfast/testing/stripe-events'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'
import { AccountClosingService } from '../accounts/closing.service.js'
import { PayoutMetrics } from '../payouts/payout-metrics.js'
import { StuckMetrics } from './stuck-metrics.js'

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

const admin = { ...userActor(), role: 'admin' as const }
const find = async () =>
  (await escrow.request<Output<typeof stuckInternalRoutes.findStuck>>('GET', '/internal/admin/stuck')).body
const caseOf = async (kind: StuckCase['kind'], id: string) =>
  (await find()).cases.find(each => each.kind === kind && each.id === id)
const measured = async (name: string, labels: Record<string, string> = {}) => {
  const metrics = escrow.service.app.get(StuckMetrics)
  await metrics.measureOverdue()
  await metrics.measureStuck()
  await metrics.measureLedger()
  await escrow.service.app.get(PayoutMetrics).measure()
  const found = (await registry.getMetricsAsJSON()).find(metric => metric.name === name)
  const values = found?.values as { labels: Record<string, string>; value: number }[]
  return values.find(({ labels: own }) => Object.entries(labels).every(([key, value]) => own[key] === value))?.value
}
const sql = (text: string, values: unknown[]) => escrow.database.admin.query(text, values)

test('a clock that is due for a while is found, and one that is just due is not', async () => {
  const { id } = await escrow.paid()
  const dueSince = (seconds: number) =>
    sql(`UPDATE escrow.transaction SET due_at = clock_timestamp() - $2 * interval '1 second' WHERE id = $1`, [
      id,
      seconds,
    ])
  // The timers would end it.
  await sql(`UPDATE escrow.heartbeat SET clocks_end_until = '2020-01-01'`, [])
  await dueSince(30)
  expect(await caseOf('clock_overdue', String(id))).toBeUndefined()
  await dueSince(120)
  expect(await caseOf('clock_overdue', String(id))).toMatchObject({
    transactionId: id,
    runbook: 'money.md#deadlines-pass-and-nothing-happens',
  })
  expect(await measured('escrow_overdue_seconds', { clock: 'ship_by' })).toBeGreaterThanOrEqual(120)
  expect(await measured('escrow_overdue_seconds', { clock: 'inspection' })).toBe(0)
  expect(await measured('escrow_stuck', { kind: 'clock_overdue' })).toBe(1)
})

test('a clock that ends only after an answer of the provider or the carrier is found after 25 hours', async () => {
  const { id } = await escrow.open()
  const dueSince = (hours: number) =>
    sql(`UPDATE escrow.transaction SET due_at = clock_timestamp() - $2 * interval '1 hour' WHERE id = $1`, [id, hours])
  // The timers would end it.
  await sql(`UPDATE escrow.heartbeat SET clocks_end_until = '2020-01-01'`, [])
  await dueSince(24)
  expect(await caseOf('clock_overdue', String(id))).toBeUndefined()
  await dueSince(26)
  expect(await caseOf('clock_overdue', String(id))).toMatchObject({ transactionId: id })
})

test('a hold that differs from its postings is measured', async () => {
  const { id } = await escrow.paid()
  const before = await measured('ledger_imbalance', { currency: 'USD' })
  expect(before).toBe(0)
  const post = (more: number) =>
    sql('UPDATE escrow.posting SET amount_minor = amount_minor + $2 WHERE credit = $1', [`hold:${id}`, more])
  await post(-1)
  expect(await measured('ledger_imbalance', { currency: 'USD' })).toBeGreaterThan(0)
  await post(1)
  expect(await measured('ledger_imbalance', { currency: 'USD' })).toBe(0)
})

test('money that no deal takes is measured until it is returned', async () => {
  const payment = newId()
  const post = (n: number, debit: string, credit: string) =>
    sql(
      `INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor) VALUES ($1, $2, $3, $4, 'USD', 700)`,
      [payment, n, debit, credit],
    )
  const before = (await measured('ledger_unapplied', { currency: 'USD' })) ?? 0
  await post(1, 'provider_clearing', `unapplied:${payment}`)
  expect(await measured('ledger_unapplied', { currency: 'USD' })).toBe(before + 700)
  await post(2, `unapplied:${payment}`, 'provider_clearing')
  expect(await measured('ledger_unapplied', { currency: 'USD' })).toBe(before)
})

test('a payment without an outcome is found after an hour, and counted once', async () => {
  const deal = await escrow.open()
  await escrow.beginPayment(deal)
  await sql(
    `UPDATE escrow.payment SET status = 'processing', updated_at = now() - interval '61 minutes' WHERE transaction_id = $1`,
    [deal.id],
  )
  expect((await find()).cases).toContainEqual(
    expect.objectContaining({ kind: 'payment_unknown', transactionId: deal.id }),
  )
  expect(await measured('payments_unknown')).toBe(1)
  expect(await measured('escrow_stuck', { kind: 'payment_unknown' })).toBeUndefined()
})

test('a bank transfer that is not final yet is found after five days', async () => {
  const deal = await escrow.open()
  await escrow.beginPayment(deal)
  const age = (days: number) =>
    sql(
      `UPDATE escrow.payment SET method = 'bank', status = 'processing', updated_at = now() - $2 * interval '1 day'
       WHERE transaction_id = $1`,
      [deal.id, days],
    )
  const isFound = async () => (await find()).cases.some(({ transactionId }) => transactionId === deal.id)
  await age(2)
  expect(await isFound()).toBe(false)
  await age(6)
  expect(await isFound()).toBe(true)
})

test('a refund that failed and a seller below zero are found', async () => {
  const deal = await escrow.paid()
  await escrow.act(deal.id, deal.seller, 'refund')
  const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [deal.id])
  const failed = {
    ...{ id: 're_1', refundId: id, intent: deal.intent, amount: deal.totalMinor },
    ...{ status: 'failed' as const, failure_reason: 'expired_or_canceled_card' },
  }
  await escrow.webhook(refundEvent('refund.failed', failed))
  expect(await caseOf('refund_failed', id)).toMatchObject({
    transactionId: deal.id,
    text: expect.stringMatching(/^A refund of \$[\d.]+ did not reach the buyer: The card is expired or closed\.$/),
  })
  await escrow.request('POST', '/api/admin/ledger/adjustments', {
    actor: admin,
    body: {
      ...{ debit: `seller_payable:${deal.seller.id}`, credit: 'revenue', amount: '3.00', currency: 'USD' },
      reason: 'A fee that was forgotten',
    },
  })
  expect(await caseOf('seller_negative', deal.seller.id)).toMatchObject({
    text: 'The seller’s balance is -$3.00. Later releases repay it.',
  })
})

test('a seller is below zero since their balance became negative, also after a part was repaid', async () => {
  const { seller } = await escrow.paid()
  const account = `seller_payable:${seller.id}`
  /** Moves money from or to the seller's balance, as if it had happened some hours ago. */
  const move = async (amount: string, isCredit: boolean, hoursAgo: number) => {
    const [debit, credit] = isCredit ? ['revenue', account] : [account, 'revenue']
    const body = { debit, credit, amount, currency: 'USD', reason: 'A fee that was forgotten' }
    expect(await escrow.request('POST', '/api/admin/ledger/adjustments', { actor: admin, body })).toMatchObject({
      status: 200,
    })
    await sql(
      `UPDATE escrow.journal_entry SET at = now() - $2 * interval '1 hour'
        WHERE id = (SELECT entry_id FROM escrow.posting WHERE $1 IN (debit, credit) ORDER BY entry_id DESC LIMIT 1)`,
      [account, hoursAgo],
    )
  }
  await move('5.00', false, 9)
  await move('5.00', true, 8)
  expect(await caseOf('seller_negative', seller.id)).toBeUndefined()
  await move('4.00', false, 7)
  await move('1.00', false, 6)
  await move('2.00', true, 5)
  const found = await caseOf('seller_negative', seller.id)
  expect(found!.text).toBe('The seller’s balance is -$3.00. Later releases repay it.')
  expect(Math.round((Date.now() - Date.parse(found!.since)) / 3_600_000)).toBe(7)
})

test('a payout that is not sent, and one whose money does not come back, are found after an hour, and counted', async () => {
  const payouts = new SellerPayouts(escrow)
  const seller = await payouts.seller()
  await payouts.sell(seller)
  await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/transfers', times: 100 })
  const { body } = await payouts.request(seller)
  await payouts.send(body.id)
  expect(await caseOf('payout_waits', body.id)).toBeUndefined()
  await sql(`UPDATE escrow.payout SET created_at = now() - interval '61 minutes' WHERE id = $1`, [body.id])
  const found = await caseOf('payout_waits', body.id)
  expect(found).toMatchObject({ transactionId: null, runbook: 'returned-payouts.md' })
  expect(found!.text).toMatch(/^A payout of \$98\.50 was not sent: /)
  const failed = `UPDATE escrow.payout SET failure = 'Closed.', failed_at = now() - $2::interval, updated_at = now() WHERE id = $1`
  await sql(failed, [body.id, '59 minutes'])
  expect(await caseOf('payout_waits', body.id)).toBeUndefined()
  await sql(failed, [body.id, '61 minutes'])
  expect((await caseOf('payout_waits', body.id))!.text).toMatch(/its money has not come back/)
  expect(await measured('escrow_payouts', { status: 'failed' })).toBe(1)
  expect(await measured('escrow_payout_age_seconds', { status: 'failed' })).toBeGreaterThanOrEqual(61 * 60)
  await escrow.dependencies.control('/faults', {}, 'DELETE')
  // It was given back, and the provider does not say whether it has made a transfer after all.
  await payouts.reach(body.id, 'returned')
  await sql(`UPDATE escrow.payout SET due_at = now() + interval '1 hour' WHERE id = $1`, [body.id])
  expect((await caseOf('payout_waits', body.id))!.text).toMatch(/its money has not come back/)
  await payouts.finish(body.id)
  expect(await caseOf('payout_waits', body.id)).toBeUndefined()
})

test('a payout on its way about which the provider gives no answer is found after an hour, until it does', async () => {
  const payouts = new SellerPayouts(escrow)
  const seller = await payouts.seller()
  await payouts.sell(seller)
  const { id } = (await payouts.request(seller)).body
  await payouts.reach(id, 'in_transit')
  await sql(`UPDATE escrow.payout SET created_at = now() - interval '2 days' WHERE id = $1`, [id])
  expect(await measured('escrow_payouts', { status: 'in_transit' })).toBe(1)
  expect(await measured('escrow_payout_age_seconds', { status: 'in_transit' })).toBeGreaterThanOrEqual(2 * 86400)
  const ask = async () => {
    await sql('UPDATE escrow.payout SET due_at = now() WHERE id = $1', [id])
    await payouts.send(id)
  }
  await escrow.dependencies.control('/faults', { kind: 'error', method: 'GET', path: '/v1/payouts', times: 100 })
  await ask()
  expect(await caseOf('payout_unanswered', id)).toBeUndefined()
  await sql(`UPDATE escrow.payout SET unanswered_since = unanswered_since - interval '61 minutes' WHERE id = $1`, [id])
  await ask()
  const found = await caseOf('payout_unanswered', id)
  expect(found).toMatchObject({ transactionId: null, runbook: 'provider-errors.md' })
  expect(found!.text).toMatch(
    /^The provider gives no answer about a payout of \$98\.50 that is on its way to the bank: ./,
  )
  await escrow.dependencies.control('/faults', {}, 'DELETE')
  await ask()
  expect(await caseOf('payout_unanswered', id)).toBeUndefined()
})

test('a payout that comes back after its seller has closed the account is found, until its amount is paid out', async () => {
  const payouts = new SellerPayouts(escrow)
  const [seller, open] = [await payouts.seller(), await payouts.seller()]
  for (const { id: userId } of [seller, open]) {
    await payouts.sell({ ...seller, id: userId })
    const { body: payout } = await payouts.request({ ...seller, id: userId })
    await payouts.reach(payout.id, 'in_transit')
    await payouts.atBank(payout.id, 'settle')
    await payouts.sendEvents('payout.')
    await payouts.atBank(payout.id, 'fail', 'account_closed')
    if (userId === seller.id)
      await escrow.dataSource.transaction(dbTx =>
        escrow.service.app
          .get(AccountClosingService)
          .close({ userId, closingId: newId(), at: new Date().toISOString() }, dbTx),
      )
    expect(await caseOf('closed_with_balance', userId)).toBeUndefined()
    await payouts.sendEvents('payout.')
    await payouts.reach(payout.id, 'returned')
  }
  expect(await caseOf('closed_with_balance', open.id)).toBeUndefined()
  expect(await caseOf('closed_with_balance', seller.id)).toMatchObject({
    text: 'The balance is $98.50, and the account is closed. Its owner cannot ask for a payout.',
    runbook: 'returned-payouts.md#a-payout-comes-back-to-a-closed-account',
  })
  const body = { debit: `seller_payable:${seller.id}`, credit: 'custodian_cash', amount: '98.50', currency: 'USD' }
  await escrow.request('POST', '/api/admin/ledger/adjustments', {
    actor: admin,
    body: { ...body, reason: 'Paid to the bank account that the person named' },
  })
  expect(await caseOf('closed_with_balance', seller.id)).toBeUndefined()
})

test('what a bank gives back after its seller has repaid it and closed the account is found', async () => {
  const payouts = new SellerPayouts(escrow)
  const seller = await payouts.seller()
  const sale = await payouts.sell(seller)
  const tell = async (step: ChargebackStep, day: number) =>
    expect((await escrow.webhook(chargeback(sale.intent, sale.totalMinor, step, { day }))).status).toBe(200)
  const { id } = (await payouts.request(seller)).body
  await payouts.reach(id, 'in_transit')
  await tell('created', 0)
  await tell('lost', 60)
  await payouts.sell(seller)
  await escrow.dataSource.transaction(dbTx =>
    escrow.service.app
      .get(AccountClosingService)
      .close({ userId: seller.id, closingId: newId(), at: new Date().toISOString() }, dbTx),
  )
  expect(await caseOf('closed_with_balance', seller.id)).toBeUndefined()
  await tell('won', 90)
  expect(await caseOf('closed_with_balance', seller.id)).toMatchObject({
    text: 'The balance is $98.50, and the account is closed. Its owner cannot ask for a payout.',
  })
})

test('a deal that is disputed for a while is named with the dispute that froze it', async () => {
  const deal = await escrow.paid()
  await escrow.dispute(deal.id, 'freeze', 12, deal.buyer.id)
  expect((await find()).disputed).toEqual([])
  await sql(`UPDATE escrow.transaction SET updated_at = now() - interval '2 minutes' WHERE id = $1`, [deal.id])
  expect((await find()).disputed).toMatchObject([{ transactionId: deal.id, disputeId: 12 }])
})
