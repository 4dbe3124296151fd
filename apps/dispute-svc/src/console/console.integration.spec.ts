import type { KeptAct, StuckCase } from '@holdfast/contracts/admin'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { eventually } from '@holdfast/testing/eventually'
import { aMediator, CaseDriver } from '../../test/case-driver.js'
import { TwoServices } from '../../test/two-services.js'
import { DisputeMetrics } from './dispute-metrics.js'

let services: TwoServices
beforeAll(async () => {
  services = await TwoServices.start()
})
afterAll(() => services.stop())

/** The value of a metric, or of one of its steps, at a scrape. */
async function measured(name: string, step?: string): Promise<number | undefined> {
  const found = (await registry.getMetricsAsJSON()).find(metric => metric.name === name)
  const values = found!.values as { labels: { step?: string }; value: number }[]
  return values.find(({ labels }) => labels.step === step)?.value
}

const ask = <T>(method: string, path: string, body?: object, actor: UserActor | null = null) =>
  services.replicas.nextDispute().client.request<T>(method, path, { actor, body })
const withDispute = async (...transactionIds: number[]) =>
  (await ask<{ transactionIds: number[] }>('POST', '/internal/admin/deals-with-dispute', { transactionIds })).body

test('a deal that an operator refunds in full has no dispute any more, and the console finds none without its dispute', async () => {
  const dispute = await CaseDriver.open(services)
  const { deal } = dispute
  expect(await withDispute(deal.id, 999_999)).toEqual({ transactionIds: [deal.id] })
  await services.forceRefund(deal, aMediator())
  await eventually(async () => (await dispute.status()) === 'closed', 50_000)
  expect((await dispute.seenBy(dispute.buyer)).resolution).toBe('Holdfast refunded the buyer in full.')
  expect(await dispute.money()).toMatchObject({ status: 'cancelled', hold: 0, refunded: 10_700 })
  expect(await withDispute(deal.id)).toEqual({ transactionIds: [] })
  await services.agree(deal)
})

test('what mediators do is part of the acts, with the reasons that the parties read', async () => {
  const dispute = await CaseDriver.open(services)
  await dispute.addEvidence(dispute.seller)
  const mediator = aMediator()
  const taken = { status: 'investigating', adminNotes: 'I look at it today.' }
  expect((await ask('PATCH', `/api/admin/disputes/${dispute.id}`, taken, mediator)).status).toBe(200)
  expect((await dispute.rule(mediator, { outcome: 'partial_refund', refundAmount: '25.00' })).status).toBe(200)
  const acts = async (query: string) => (await ask<KeptAct[]>('GET', `/internal/admin/acts${query}`)).body
  const expected = {
    act: 'dispute.rule',
    actorId: mediator.id,
    subject: `dispute:${dispute.id}`,
    before: null,
    after: { outcome: 'partial_refund', refund: '25.00' },
    reason: 'The pictures show it.',
  }
  const [ruled, began] = await acts(`?actor=${mediator.id}`)
  expect(ruled).toMatchObject(expected)
  expect(began).toMatchObject({ act: 'dispute.investigate', reason: 'I look at it today.' })
  expect(await acts(`?subject=dispute:${dispute.id}&act=dispute.rule`)).toHaveLength(1)
  expect(await acts(`?actor=${mediator.id}&before=${ruled!.id}`)).toEqual([began])
})

test('an act keeps the words of its own mediator when another one takes the case over', async () => {
  const dispute = await CaseDriver.open(services)
  const [first, second, third] = [aMediator(), aMediator(), aMediator()]
  const take = (mediator: UserActor, adminNotes?: string) =>
    ask('PATCH', `/api/admin/disputes/${dispute.id}`, { status: 'investigating', adminNotes, takeOver: true }, mediator)
  await take(first, 'The seller must send the invoice.')
  await take(second, 'I take over.')
  await take(third)
  const acts = (await ask<KeptAct[]>('GET', `/internal/admin/acts?subject=dispute:${dispute.id}`)).body
  expect(acts.map(({ actorId, reason }) => [actorId, reason])).toEqual([
    [third.id, 'The case was taken over from another mediator.'],
    [second.id, 'I take over.'],
    [first.id, 'The seller must send the invoice.'],
  ])
})

test('a dispute that escrow-svc does not answer about is found after ten minutes, and counted', async () => {
  const dispute = await CaseDriver.open(services)
  const wait = (interval: string) =>
    services.database.admin.query(
      `UPDATE dispute.dispute SET step = 'settling', retry_at = now() + interval '1 hour', updated_at = now() - $2::interval WHERE id = $1`,
      [dispute.id, interval],
    )
  const found = async () =>
    (await ask<StuckCase[]>('GET', '/internal/admin/stuck-disputes')).body.filter(({ id }) => id === String(dispute.id))
  await wait('9 minutes')
  expect(await found()).toEqual([])
  await wait('11 minutes')
  expect(await found()).toMatchObject([
    { kind: 'dispute_waits_for_escrow', transactionId: dispute.deal.id, runbook: 'stuck-disputes.md' },
  ])
  // It is measured at each scrape, and the next one shows it.
  await eventually(async () => (await measured('dispute_escrow_wait_seconds', 'settling'))! >= 11 * 60, 10_000)
  await services.database.admin.query(`UPDATE dispute.dispute SET step = 'settled', retry_at = NULL WHERE id = $1`, [
    dispute.id,
  ])
})

test('a deal that is stopped for a dispute which dispute-svc does not have is counted', async () => {
  const missing = async () => {
    await services.replicas.nextDispute().running.app.get(DisputeMetrics, { strict: false }).measureMissing()
    return measured('dispute_missing_disputes')
  }
  const { id, deal } = await CaseDriver.open(services)
  await services.database.admin.query(
    `UPDATE escrow.transaction SET updated_at = now() - interval '2 minutes' WHERE id = $1`,
    [deal.id],
  )
  const before = (await missing()) ?? 0
  const close = (status: string) =>
    services.database.admin.query('UPDATE dispute.dispute SET status = $2 WHERE id = $1', [id, status])
  await close('closed')
  expect(await missing()).toBe(before + 1)
  await close('open')
  expect(await missing()).toBe(before)
})
