import { newId } from '@holdfast/kernel/ids'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { userActor } from '@holdfast/testing/signed-client'
import { refundMadeByHand } from '@holdfast/testing/stripe-events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PremiumUsers } from '../../test/premium-users.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'
import { OperatorMetrics } from './operator-metrics.js'

const anEvent = (type: string, id = `evt_${newId()}`) => ({
  id,
  object: 'event',
  type,
  livemode: false,
  data: { object: { id: 'prv_1', object: 'review' } },
})

describe('an event of the provider that no code handles', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const listed = () =>
    escrow.request<{ type: string; count: number; lastId: string }[]>('GET', '/api/admin/provider-events', {
      actor: { ...userActor(), role: 'admin' as const },
    })

  it('is kept once, counted by its type, and shown to admins', async () => {
    const event = anEvent('review.opened')
    for (const each of [event, event, anEvent('review.opened')])
      expect(await escrow.webhook(each)).toMatchObject({ status: 200 })
    const { body } = await listed()
    expect(body).toMatchObject([{ type: 'review.opened', count: 2 }])
    const metric = await registry.getSingleMetric('escrow_unhandled_provider_events_total')?.get()
    expect(metric?.values.find(({ labels }) => labels.type === 'review.opened')).toMatchObject({ value: 2 })
  })

  it('is not one that only repeats what another event says', async () => {
    expect(await escrow.webhook(anEvent('charge.succeeded'))).toMatchObject({ status: 200 })
    expect((await listed()).body.map(({ type }) => type)).not.toContain('charge.succeeded')
  })
})

describe('the alert about what an operator must book', () => {
  let escrow: RunningEscrow
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const measured = async () => {
    await escrow.service.app.get(OperatorMetrics).measure()
    const metric = await registry.getSingleMetric('escrow_events_for_operators')?.get()
    return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels.why, value]))
  }
  const send = async (refund: Parameters<typeof refundMadeByHand>[1]) =>
    expect(await escrow.webhook(refundMadeByHand('refund.created', refund))).toMatchObject({ status: 200 })

  it('counts for a day what does not fit, such as a refund of Premium, and no other unhandled event', async () => {
    await escrow.webhook(anEvent('review.opened'))
    expect(await measured()).toEqual({ unfitting: 0, refund_of_ended_deal: 0 })
    const user = await new PremiumUsers(escrow).premium()
    const { intent_id: intent } = await escrow.row<{ intent_id: string }>(
      'SELECT intent_id FROM escrow.subscription_invoice WHERE user_id = $1',
      [user.id],
    )
    await send({ intent, amount: 100, status: 'succeeded' })
    expect(await measured()).toEqual({ unfitting: 1, refund_of_ended_deal: 0 })
    await escrow.database.admin.query(`UPDATE escrow.webhook_event SET received_at = received_at - interval '1 day'`)
    expect(await measured()).toMatchObject({ unfitting: 0 })
  })

  it('counts a refund that was made at the provider after its deal had ended', async () => {
    const { intent } = await new SellerPayouts(escrow).sell(userActor())
    await send({ intent, amount: 100, status: 'succeeded' })
    expect(await measured()).toEqual({ unfitting: 0, refund_of_ended_deal: 1 })
  })
})
