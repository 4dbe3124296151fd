import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { RunningEscrow } from '../../test/running-escrow.js'
import { refundEvent, succeeded } from '../../test/stripe-events.js'
import { DealsService } from '../deals/deals.service.js'
import { ProviderFeesService } from './provider-fees.service.js'
import { RefundsService } from './refunds.service.js'

describe('money on its way back', () => {
  let escrow: RunningEscrow
  let refunds: RefundsService

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    refunds = escrow.service.app.get(RefundsService)
  })
  afterAll(() => escrow.stop())

  const refundOf = (id: number) =>
    escrow.row<{ id: string; status: string; provider_refund_id: string }>(
      'SELECT id, status, provider_refund_id FROM escrow.refund WHERE transaction_id = $1',
      [id],
    )
  const atProvider = (intent: string) =>
    [...escrow.sandbox.context.state.refunds.oldestFirst()].filter(refund => refund.intentId === intent)
  const moved = async (id: number) => (await escrow.entries(id)).filter(kind => kind !== 'provider_fee')

  /** A deal whose seller gave the money back, and the refund's row. */
  async function refunded(card?: string) {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.confirmed(intent, card)
    await escrow.webhook(succeeded(intent, deal.totalMinor))
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 200 })
    return { ...deal, intent, refund: await refundOf(deal.id) }
  }

  it('is sent once and posted once, whoever sends it at the same time and whatever the provider repeats', async () => {
    const { id, intent, refund } = await refunded()
    const replica = await escrow.startReplica()
    try {
      const other = replica.app.get(RefundsService)
      await Promise.all([refunds, other, refunds, other].map(each => each.send(refund.id)))
    } finally {
      await replica.close()
    }
    await eventually(async () => (await refundOf(id)).status === 'confirmed', 30_000)
    const word = { id: (await refundOf(id)).provider_refund_id, refundId: refund.id, status: 'succeeded' as const }
    const events = [refundEvent('refund.created', word), refundEvent('refund.updated', word)]
    await Promise.all([...events, ...events].map(event => escrow.webhook(event)))
    expect(atProvider(intent)).toHaveLength(1)
    expect(await moved(id)).toEqual(['charge', 'refund', 'refund_confirmed'])
    expect(await escrow.imbalances()).toEqual([])
  })

  it('is owed to the buyer again when it looked done and came back', async () => {
    const { id, refund } = await refunded()
    const word = (status: 'pending' | 'succeeded' | 'failed') => ({ id: 're_back', refundId: refund.id, status })
    await escrow.webhook(refundEvent('refund.updated', word('succeeded')))
    await escrow.webhook(refundEvent('refund.failed', word('failed')))
    // Late and repeated words about how well it went change nothing any more.
    await escrow.webhook(refundEvent('refund.updated', word('succeeded')))
    await escrow.webhook(refundEvent('refund.created', word('pending')))
    await escrow.webhook(refundEvent('refund.failed', word('failed')))
    expect(await refundOf(id)).toMatchObject({ status: 'failed' })
    expect(await moved(id)).toEqual(['charge', 'refund', 'refund_confirmed', 'refund_returned'])
    expect(await escrow.imbalances()).toEqual([])
  })

  it('that nobody ordered here are answered, and move nothing of ours', async () => {
    const deal = await escrow.paid()
    for (const refundId of [newId(), 'made-by-hand'])
      expect(
        await escrow.webhook(refundEvent('refund.updated', { id: 're_foreign', refundId, status: 'succeeded' })),
      ).toMatchObject({ status: 200 })
    expect(await moved(deal.id)).toEqual(['charge'])
  })

  it('stays failed when the word of its beginning comes last', async () => {
    const { id, refund } = await refunded()
    const word = (status: 'pending' | 'failed') => ({ id: 're_failed', refundId: refund.id, status })
    await escrow.webhook(refundEvent('refund.failed', word('failed')))
    await escrow.webhook(refundEvent('refund.created', word('pending')))
    expect(await refundOf(id)).toMatchObject({ status: 'failed' })
    expect(await moved(id)).toEqual(['charge', 'refund'])
    expect(await escrow.imbalances()).toEqual([])
  })

  it('is found again at a provider that has sent it and forgotten its key', async () => {
    const { id, intent, refund } = await refunded()
    await escrow.surroundings.control('/faults', { kind: 'lose_answer', path: '/v1/refunds', times: 3 })
    await eventually(() => atProvider(intent).length === 1, 30_000)
    escrow.sandbox.context.state.idempotency.clear()
    await eventually(async () => {
      await escrow.database.admin.query(
        'UPDATE escrow.refund SET due_at = now() WHERE due_at IS NOT NULL AND id = $1',
        [refund.id],
      )
      await refunds.send(refund.id)
      return (await refundOf(id)).status === 'confirmed'
    }, 40_000)
    expect(atProvider(intent)).toHaveLength(1)
    expect(await moved(id)).toEqual(['charge', 'refund', 'refund_confirmed'])
  })

  it('goes back whole, once, when it came for a deal that was cancelled meanwhile', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.service.app.get(DealsService).cancel(deal.id, { userId: deal.buyer.id, key: null })
    await escrow.confirmed(intent)
    const tell = () => escrow.webhook(succeeded(intent, deal.totalMinor))
    const told = await Promise.all([tell(), tell(), tell()])
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200])
    await eventually(async () => (await refundOf(deal.id)).status === 'confirmed', 30_000)
    expect(await moved(deal.id)).toEqual(['stray_payment', 'stray_refund_confirmed'])
    expect(atProvider(intent).map(refund => refund.amount)).toEqual([deal.totalMinor])
    expect(await escrow.imbalances()).toEqual([])
  })

  it('knows the provider’s fee once, whoever asks for it at the same time', async () => {
    const { id } = await escrow.paidAtProvider()
    const fees = escrow.service.app.get(ProviderFeesService)
    const payment = await escrow.row<{ id: string }>(
      'UPDATE escrow.payment SET fee_due_at = now() WHERE transaction_id = $1 RETURNING id',
      [id],
    )
    await Promise.all([1, 2, 3, 4].map(() => fees.record(payment.id)))
    await eventually(async () => (await escrow.entries(id)).includes('provider_fee'), 10_000)
    expect((await escrow.entries(id)).filter(kind => kind === 'provider_fee')).toHaveLength(1)
    expect(await escrow.imbalances()).toEqual([])
  })
})
