import { newId } from '@holdfast/kernel/ids'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { userActor } from '@holdfast/testing/signed-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RunningEscrow } from '../../test/running-escrow.js'

describe('an event of the provider that no code handles', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const anEvent = (type: string, id = `evt_${newId()}`) => ({
    id,
    object: 'event',
    type,
    livemode: false,
    data: { object: { id: 'prv_1', object: 'review' } },
  })
  const listed = () =>
    escrow.request<{ type: string; count: number; lastId: string }[]>('GET', '/api/admin/provider-events', {
      actor: { ...userActor(), role: 'admin' } as never,
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
