import type { EventForOperator } from '@holdfast/contracts/admin-events'
import { newId } from '@holdfast/kernel/ids'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { userActor } from '@holdfast/testing/signed-client'
import { chargeback, refundMadeByHand } from '@holdfast/testing/stripe-events'
import { DataSource } from 'typeorm'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'
import { SettledLateRefunds1799785001004 } from '../migrations/1799785001004-settled-late-refunds.js'
import { EventsForOperators } from './events-for-operators.js'

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

/** The counts of the alert when nothing is open. */
const NONE = { unfitting: 0, refund_of_ended_deal: 0, refund_of_ended_deal_failed: 0, chargeback_returned: 0 }

describe('the alert about what an operator must book', () => {
  let escrow: RunningEscrow
  let sellers: SellerPayouts
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    sellers = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const measured = async () => {
    await escrow.service.app.get(EventsForOperators).measure()
    const metric = await registry.getSingleMetric('escrow_events_for_operators')?.get()
    return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels.why, value]))
  }
  const admin = { ...userActor(), role: 'admin' } as never as ReturnType<typeof userActor>
  const open = async () =>
    (await escrow.request<EventForOperator[]>('GET', '/api/admin/provider-events/open', { actor: admin })).body
  const markDone = (id: string, actor = admin, reason = 'Posted an adjustment') =>
    escrow.request('POST', `/api/admin/provider-events/${id}/done`, { actor, body: { reason } })
  const send = async (refund: Parameters<typeof refundMadeByHand>[1]) =>
    expect(await escrow.webhook(refundMadeByHand('refund.created', refund))).toMatchObject({ status: 200 })

  it('leaves out refunds that a release has announced in which nobody could mark them', async () => {
    const [old, recent] = [await sellers.sell(userActor()), await sellers.sell(userActor())]
    for (const { intent } of [old, recent]) await send({ intent, amount: 100, status: 'succeeded' })
    await escrow.database.admin.query(
      `UPDATE escrow.refund SET created_at = created_at - interval '2 days' WHERE transaction_id = $1`,
      [old.id],
    )
    const migrate = async () => {
      const queryRunner = escrow.service.app.get(DataSource).createQueryRunner()
      await new SettledLateRefunds1799785001004().up(queryRunner)
      await queryRunner.release()
    }
    expect((await open()).map(({ transactionId }) => transactionId)).toEqual([old.id, recent.id])
    await migrate()
    const [event, ...others] = await open()
    expect([event?.transactionId, others]).toEqual([recent.id, []])
    const acts = await escrow.request<object[]>('GET', `/internal/admin/acts?subject=transaction:${old.id}`)
    expect(acts.body).toMatchObject([{ actorId: null, commandLineUser: 'migration', after: { done: true } }])

    // Where operators mark events, it leaves the others to them.
    await escrow.database.admin.query(`UPDATE escrow.refund SET created_at = created_at - interval '2 days'`)
    await migrate()
    expect(await open()).toHaveLength(1)
    expect(await markDone(event!.id)).toMatchObject({ status: 200 })
  })

  it('counts what does not fit, such as a refund of a payment that is not ours, until an operator has marked it as done, and no other unhandled event', async () => {
    await escrow.webhook(anEvent('review.opened'))
    expect(await measured()).toEqual(NONE)
    await send({ intent: 'pi_of_somebody_else', amount: 100, status: 'succeeded' })
    expect(await measured()).toEqual({ ...NONE, unfitting: 1 })
    await escrow.database.admin.query(`UPDATE escrow.webhook_event SET received_at = received_at - interval '1 day'`)
    expect(await measured()).toMatchObject({ unfitting: 1 })
    const [event] = await open()
    expect(event).toMatchObject({ why: 'unfitting', about: 'refund.created', transactionId: null })
    expect(await markDone(event!.id)).toMatchObject({ status: 200, body: { id: event!.id } })
    expect(await measured()).toMatchObject({ unfitting: 0 })
    expect(await open()).toEqual([])
  })

  it('counts a refund that was made at the provider after its deal had ended', async () => {
    const { id, intent } = await sellers.sell(userActor())
    await send({ intent, amount: 100, status: 'succeeded' })
    expect(await measured()).toEqual({ ...NONE, refund_of_ended_deal: 1 })
    const [event] = await open()
    expect(event).toMatchObject({ why: 'refund_of_ended_deal', about: `re_${intent}`, transactionId: id })
    expect(await markDone(event!.id)).toMatchObject({ status: 200 })
  })

  it('counts such a refund again when it fails, because an operator may have had the seller bear it', async () => {
    const { id, intent } = await sellers.sell(userActor())
    await send({ intent, amount: 100, status: 'succeeded' })
    expect(await markDone((await open())[0]!.id)).toMatchObject({ status: 200 })
    const failed = refundMadeByHand('refund.failed', { intent, amount: 100, status: 'failed' })
    expect(await escrow.webhook(failed)).toMatchObject({ status: 200 })
    expect(await measured()).toEqual({ ...NONE, refund_of_ended_deal_failed: 1 })
    const events = await open()
    expect(events).toMatchObject([{ why: 'refund_of_ended_deal_failed', about: `re_${intent}`, transactionId: id }])
    expect(await markDone(events[0]!.id)).toMatchObject({ status: 200 })
    expect(await open()).toEqual([])
  })

  it('counts what a bank has given back of a deal that has ended, until it is taken again', async () => {
    const deal = await escrow.inInspection()
    const decide = async (outcome: 'won' | 'lost', day: number) =>
      expect(await escrow.webhook(chargeback(deal.intent, deal.totalMinor, outcome, { day }))).toMatchObject({
        status: 200,
      })
    await decide('lost', 60)
    await decide('won', 90)
    expect(await measured()).toMatchObject({ chargeback_returned: 1 })
    expect(await open()).toMatchObject([
      { why: 'chargeback_returned', about: `du_${deal.intent}`, transactionId: deal.id },
    ])
    await decide('lost', 91)
    expect(await measured()).toMatchObject({ chargeback_returned: 0 })
    await decide('won', 92)
    // The bank takes the money once more and gives it back. The amount of before still belongs to somebody.
    const withdrawn = chargeback(deal.intent, deal.totalMinor, 'funds_withdrawn', { status: 'won', day: 93 })
    expect(await escrow.webhook(withdrawn)).toMatchObject({ status: 200 })
    await decide('won', 94)
    expect(await measured()).toMatchObject({ chargeback_returned: 1 })
    expect(await markDone((await open())[0]!.id)).toMatchObject({ status: 200 })
  })

  it('reads the open ones page by page with their number, and marks several with one act', async () => {
    for (const n of [1, 2, 3, 4])
      await escrow.webhook(chargeback(`pi_of_nobody_${n}`, 100, 'lost', { id: `du_of_nobody_${n}` }))
    const list = (query: string) =>
      escrow.request<EventForOperator[]>('GET', `/api/admin/provider-events/open${query}`, { actor: admin })
    const count = async () =>
      (await escrow.request('GET', '/api/admin/provider-events/open/count', { actor: admin })).body
    const markSeveral = (why: string, ids: readonly string[], actor = admin) =>
      escrow.request('POST', '/api/admin/provider-events/done', { actor, body: { why, ids, reason: 'Not ours' } })
    const all = (await list('')).body.map(({ id }) => id)
    expect(all).toHaveLength(4)
    expect(await count()).toEqual({ count: 4 })
    const first = await list('?limit=2')
    const next = /<\S+open(\?\S+)>; rel="next"/.exec(first.headers.get('link')!)?.[1]
    // What is marked meanwhile does not shift the next page.
    expect(await markDone(all[1]!)).toMatchObject({ status: 200 })
    const second = await list(next!)
    expect([...first.body, ...second.body].map(({ id }) => id)).toEqual(all)
    expect(await count()).toEqual({ count: 3 })

    expect(await markSeveral('unfitting', all, userActor())).toMatchObject({ status: 404 })
    expect(await markSeveral('refund_of_ended_deal', all)).toMatchObject({ status: 404 })
    expect(await markSeveral('unfitting', [])).toMatchObject({ status: 400 })
    expect(await markSeveral('unfitting', all.slice(0, 3))).toMatchObject({ status: 200, body: { marked: 2 } })
    expect((await list('')).body.map(({ id }) => id)).toEqual([all[3]])
    expect(await markSeveral('unfitting', all.slice(0, 3))).toMatchObject({ status: 404 })
    expect(await markSeveral('unfitting', all)).toMatchObject({ status: 200, body: { marked: 1 } })
    const { body } = await escrow.request<object[]>('GET', '/internal/admin/acts?subject=provider_events:unfitting')
    expect(body).toMatchObject([
      { after: { events: [all[3]] } },
      {
        ...{ act: 'provider_event.done', actorId: admin.id, reason: 'Not ours', before: { why: 'unfitting' } },
        after: { done: true, events: [all[0], all[2]] },
      },
    ])
  })

  it('is marked as done once, by an admin with a reason, who stands in the audit log', async () => {
    await escrow.webhook(chargeback('pi_of_nobody', 100, 'lost', { id: 'du_of_nobody' }))
    const [event] = await open()
    expect(await markDone(event!.id, userActor())).toMatchObject({ status: 404 })
    expect(await markDone(event!.id, admin, ' ')).toMatchObject({ status: 400 })
    expect(await markDone('evt_absent')).toMatchObject({ status: 404 })
    const answers = await Promise.all([markDone(event!.id), markDone(event!.id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const { body } = await escrow.request<object[]>('GET', `/internal/admin/acts?subject=provider_event:${event!.id}`)
    expect(body).toMatchObject([
      {
        ...{ act: 'provider_event.done', actorId: admin.id, reason: 'Posted an adjustment' },
        before: { why: 'unfitting', about: 'charge.dispute.closed' },
      },
    ])
  })
})
