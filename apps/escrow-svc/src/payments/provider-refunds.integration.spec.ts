import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { chargeback, refundEvent, refundMadeByHand, succeeded } from '@holdfast/testing/stripe-events'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { DealsService } from '../deals/deals.service.js'
import { ProviderRefundsService } from './provider-refunds.service.js'
import { RefundProgressService } from './refund-progress.service.js'
import { RefundsService } from './refunds.service.js'

describe('a refund that was made at the provider by hand', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const entriesOf = async (id: number) => (await escrow.entries(id)).filter(kind => kind !== 'provider_fee')
  const balancesOf = (id: number) =>
    escrow.row<{ held: number; refunded: number }>(
      'SELECT hold_minor::int AS held, refunded_minor::int AS refunded FROM escrow.transaction WHERE id = $1',
      [id],
    )
  type Paid = DealUnderTest & { readonly intent: string }
  /** Refunds at the provider, and sends all that the provider says about it. */
  async function refundByHand({ intent }: Paid, amount?: number) {
    await escrow.dependencies.control(`/payments/${intent}/refund`, amount ? { amount } : {})
    await escrow.sendProviderEvents(intent, 'refund.')
    await escrow.sendProviderEvents(intent, 'charge.refund')
  }
  const send = async (
    deal: Paid,
    type: 'refund.created' | 'refund.updated' | 'refund.failed',
    status: 'pending' | 'succeeded' | 'failed',
    amount: number,
  ) =>
    expect(await escrow.webhook(refundMadeByHand(type, { intent: deal.intent, amount, status }))).toMatchObject({
      status: 200,
    })

  it('in full ends the deal as refunded, and nothing is paid a second time', async () => {
    const deal = await escrow.paidAtProvider()
    await refundByHand(deal)
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await balancesOf(deal.id)).toEqual({ held: 0, refunded: deal.totalMinor })
    expect(await entriesOf(deal.id)).toEqual(['charge', 'provider_refund', 'refund_confirmed'])
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 409 })
    expect(await escrow.violations()).toEqual([])
  })

  it('in part stops the deal, so that what is gone is never released', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'refund.created', 'succeeded', 3_000)
    expect(await escrow.status(deal.id)).toBe('disputed')
    expect(await balancesOf(deal.id)).toEqual({ held: deal.totalMinor - 3_000, refunded: 3_000 })
    expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ status: 409 })
    await escrow.elapse(deal.id, 60)
    await escrow.fireTimers(deal.id)
    expect(await escrow.status(deal.id)).toBe('disputed')
    expect(await escrow.violations()).toEqual([])
  })

  it('in two parts that are all of the payment ends the deal', async () => {
    const deal = await escrow.paidAtProvider()
    await refundByHand(deal, 3_000)
    expect(await escrow.status(deal.id)).toBe('disputed')
    await refundByHand(deal)
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await balancesOf(deal.id)).toEqual({ held: 0, refunded: deal.totalMinor })
    expect(await escrow.violations()).toEqual([])
  })

  it('has its effect once, although its events come twice, at the same time and late', async () => {
    const deal = await escrow.inInspection()
    const event = refundMadeByHand('refund.created', { intent: deal.intent, amount: 3_000, status: 'pending' })
    const answers = await Promise.all([event, event, event].map(each => escrow.webhook(each)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await send(deal, 'refund.updated', 'succeeded', 3_000)
    await send(deal, 'refund.created', 'pending', 3_000)
    await send(deal, 'refund.updated', 'succeeded', 3_000)
    expect(await entriesOf(deal.id)).toEqual(['charge', 'provider_refund', 'refund_confirmed'])
    expect(await escrow.violations()).toEqual([])
  })

  it('that fails is taken back, and the deal goes on', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'refund.created', 'succeeded', 3_000)
    await send(deal, 'refund.failed', 'failed', 3_000)
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect(await balancesOf(deal.id)).toEqual({ held: deal.totalMinor, refunded: 0 })
    expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ status: 200 })
    expect(await escrow.violations()).toEqual([])
  })

  it('that is first reported as failed changes nothing, also when its creation is reported afterwards', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'refund.failed', 'failed', 3_000)
    await send(deal, 'refund.created', 'succeeded', 3_000)
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect(await entriesOf(deal.id)).toEqual(['charge'])
    expect(await escrow.violations()).toEqual([])
  })

  it.each([
    ['settle', 'disputed', ['charge', 'provider_refund', 'refund_confirmed']],
    ['fail', 'paid', ['charge', 'provider_refund', 'provider_refund_failed']],
  ] as const)(
    'that stays pending is asked about until it is final, although no event comes: %s',
    async (end, status, entries) => {
      const deal = await escrow.paidAtProvider()
      await escrow.dependencies.control('/settings', { refunds: 'by_hand' })
      await escrow.dependencies.control(`/payments/${deal.intent}/refund`, { amount: 3_000 })
      await escrow.dependencies.control('/settings', { refunds: 'at_once' })
      await escrow.sendProviderEvents(deal.intent, 'refund.')
      const refund = await escrow.row<{ id: string; provider_refund_id: string; due_at: Date | null }>(
        'SELECT id, provider_refund_id, due_at FROM escrow.refund WHERE transaction_id = $1',
        [deal.id],
      )
      expect(refund.due_at).not.toBeNull()
      await escrow.dependencies.control(`/refunds/${refund.provider_refund_id}/${end}`)
      await escrow.database.admin.query('UPDATE escrow.refund SET due_at = now() WHERE id = $1', [refund.id])
      await escrow.service.app.get(ProviderRefundsService).ask(refund.id)
      // The timer may have asked first.
      await eventually(async () => (await entriesOf(deal.id)).length === entries.length)
      expect(await escrow.status(deal.id)).toBe(status)
      expect(await entriesOf(deal.id)).toEqual(entries)
      expect(await escrow.violations()).toEqual([])
    },
  )

  it('in full that fails after the deal has ended is owed to the buyer', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'refund.created', 'succeeded', deal.totalMinor)
    await send(deal, 'refund.failed', 'failed', deal.totalMinor)
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await entriesOf(deal.id)).toEqual(['charge', 'provider_refund', 'refund_confirmed', 'refund_returned'])
    expect(await escrow.violations()).toEqual([])
  })

  it('after the release leaves the deal completed and is booked as our cost', async () => {
    const deal = await escrow.inInspection()
    await escrow.act(deal.id, deal.buyer, 'accept')
    await send(deal, 'refund.created', 'succeeded', 3_000)
    expect(await escrow.status(deal.id)).toBe('completed')
    expect(await entriesOf(deal.id)).toEqual(['charge', 'release', 'provider_refund', 'refund_confirmed'])
    expect(await balancesOf(deal.id)).toEqual({ held: 0, refunded: 0 })
    expect(await escrow.violations()).toEqual([])
  })

  it('in place of our own, which was not sent yet, counts as ours', async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 100 })
    await escrow.act(deal.id, deal.seller, 'refund')
    await refundByHand(deal)
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    expect(await entriesOf(deal.id)).toEqual(['charge', 'refund', 'refund_confirmed'])
    const { id, status } = await escrow.row<{ id: string; status: string }>(
      'SELECT id, status FROM escrow.refund WHERE transaction_id = $1',
      [deal.id],
    )
    expect(status).toBe('confirmed')
    await escrow.service.app.get(RefundsService).send(id)
    expect(await escrow.violations()).toEqual([])
  })

  it('is read again when its failure is recorded while it is about to count as our own', async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 100 })
    await escrow.act(deal.id, deal.seller, 'refund')
    const refunds = escrow.service.app.get(RefundProgressService)
    const adopt = refunds.adopt.bind(refunds)
    const delayed = jest.spyOn(refunds, 'adopt').mockImplementationOnce(async (...ours) => {
      await send(deal, 'refund.failed', 'failed', deal.totalMinor)
      return adopt(...ours)
    })
    await send(deal, 'refund.created', 'succeeded', deal.totalMinor)
    expect(delayed).toHaveBeenCalledTimes(1)
    delayed.mockRestore()
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    const statuses = await escrow.database.admin.query(
      'SELECT origin, status FROM escrow.refund WHERE transaction_id = $1 ORDER BY origin',
      [deal.id],
    )
    expect(statuses.rows).toEqual([
      { origin: 'provider', status: 'void' },
      { origin: 'us', status: 'due' },
    ])
    expect(await escrow.violations()).toEqual([])
  })

  it('in part while our own was not sent yet leaves the rest to send', async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 100 })
    await escrow.act(deal.id, deal.seller, 'refund')
    await refundByHand(deal, 100)
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    const ours = () =>
      escrow.row<{ id: string; status: string; amount: number }>(
        `SELECT id, status, amount_minor::int AS amount FROM escrow.refund WHERE transaction_id = $1 AND origin = 'us'`,
        [deal.id],
      )
    const { id, amount } = await ours()
    expect(amount).toBe(deal.totalMinor - 100)
    await escrow.database.admin.query('UPDATE escrow.refund SET due_at = now() WHERE id = $1', [id])
    await escrow.service.app.get(RefundsService).send(id)
    await eventually(async () => (await ours()).status === 'confirmed', 30_000)
    expect(await escrow.violations()).toEqual([])
  })

  describe('of a deal that has ended, and that then fails', () => {
    const admin = { ...userActor(), role: 'admin' as const }
    const refundsOf = async (id: number) =>
      (
        await escrow.database.admin.query<{ id: string; origin: string; status: string; amount: number }>(
          'SELECT id, origin, status, amount_minor::int AS amount FROM escrow.refund WHERE transaction_id = $1 ORDER BY id',
          [id],
        )
      ).rows
    const summary = async (id: number) =>
      (await refundsOf(id)).map(({ origin, status, amount }) => `${origin} ${status} ${amount}`)
    /** What the buyer has got of the payment by our books, in minor units. */
    const returnedOf = async (id: number) =>
      (
        await escrow.row<{ n: number }>(
          `SELECT coalesce(sum(CASE p.credit WHEN 'provider_clearing' THEN p.amount_minor ELSE -p.amount_minor END), 0)::int AS n
             FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
            WHERE e.transaction_id = $1 AND (e.kind LIKE '%refund_confirmed' OR e.kind LIKE '%refund_returned')`,
          [id],
        )
      ).n
    const takesNoRefund = () =>
      escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 1_000 })
    const takesRefunds = () => escrow.dependencies.control('/faults', {}, 'DELETE')
    afterEach(takesRefunds)
    const report = async (
      { intent }: Paid,
      part: number,
      amount: number,
      status: 'pending' | 'succeeded' | 'failed' = 'succeeded',
    ) => {
      const type = status === 'failed' ? 'refund.failed' : 'refund.updated'
      const refund = { id: `re_${part}_${intent}`, intent, amount, status }
      expect(await escrow.webhook(refundMadeByHand(type, refund))).toMatchObject({ status: 200 })
    }
    const sendAgain = async (refundId: string) =>
      expect(
        await escrow.request('POST', `/api/admin/refunds/${refundId}/send-again`, {
          actor: admin,
          body: { reason: 'The buyer has a new card' },
        }),
      ).toMatchObject({ status: 200 })
    /** Sends what is due until all of it has arrived. Failed refunds are sent again first. */
    const finish = async (id: number) => {
      await takesRefunds()
      for (const { id: refundId, status } of await refundsOf(id)) if (status === 'failed') await sendAgain(refundId)
      await eventually(async () => {
        const unfinished = (await refundsOf(id)).filter(({ status }) => status !== 'confirmed' && status !== 'void')
        for (const { id: refundId } of unfinished) {
          await escrow.database.admin.query(
            'UPDATE escrow.refund SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL',
            [refundId],
          )
          await escrow.service.app.get(RefundsService).send(refundId)
        }
        return unfinished.length === 0
      }, 30_000)
    }
    /** A deal whose seller has refunded it while the provider took no refund. */
    async function withRefundDue() {
      await takesNoRefund()
      const deal = await escrow.paidAtProvider()
      await escrow.act(deal.id, deal.seller, 'refund')
      return deal
    }

    it('is owed again as far as our own refund was reduced by it, also when that was sent meanwhile', async () => {
      const deal = await withRefundDue()
      await report(deal, 1, 4_000)
      await finish(deal.id)
      expect(await summary(deal.id)).toEqual([
        `us confirmed ${deal.totalMinor - 4_000}`,
        'provider_late confirmed 4000',
      ])
      await report(deal, 1, 4_000, 'failed')
      expect(await summary(deal.id)).toEqual([`us confirmed ${deal.totalMinor - 4_000}`, 'provider_late failed 4000'])
      expect(await escrow.violations()).toEqual([])
      await finish(deal.id)
      expect(await returnedOf(deal.id)).toBe(deal.totalMinor)
      expect(await escrow.violations()).toEqual([])
    })

    it('is owed again in both parts in place of our own refund, of which nothing was left', async () => {
      const deal = await withRefundDue()
      const parts = [4_000, deal.totalMinor - 4_000]
      for (const status of ['pending', 'succeeded'] as const)
        for (const [part, amount] of parts.entries()) await report(deal, part, amount, status)
      expect(await summary(deal.id)).toContain(`us void ${deal.totalMinor - 4_000}`)
      for (const [part, amount] of parts.entries()) {
        await report(deal, part, amount, 'failed')
        expect(await summary(deal.id)).toContain(`provider_late failed ${amount}`)
        expect(await escrow.violations()).toEqual([])
      }
      await finish(deal.id)
      expect(await returnedOf(deal.id)).toBe(deal.totalMinor)
      expect(await escrow.violations()).toEqual([])
    })

    it('is owed again when its payment was a stray one', async () => {
      await takesNoRefund()
      const deal = await escrow.open()
      const intent = await escrow.beginPayment(deal)
      await escrow.service.app.get(DealsService).cancel(deal.id, { userId: deal.buyer.id, key: null })
      await escrow.confirmCard(intent)
      await escrow.webhook(succeeded(intent, deal.totalMinor))
      await report({ ...deal, intent }, 1, 4_000)
      await report({ ...deal, intent }, 1, 4_000, 'failed')
      expect(await summary(deal.id)).toEqual([`us due ${deal.totalMinor - 4_000}`, 'provider_late failed 4000'])
      expect(await escrow.violations()).toEqual([])
      await finish(deal.id)
      expect(await returnedOf(deal.id)).toBe(deal.totalMinor)
      expect(await escrow.violations()).toEqual([])
    })

    it('is owed again although its failure was read before our own refund was reduced', async () => {
      const deal = await withRefundDue()
      const [own] = await refundsOf(deal.id)
      const released = await locked('escrow.refund', own!.id)
      const arrived = report(deal, 1, 4_000)
      await waiting(1)
      const failed = report(deal, 1, 4_000, 'failed')
      await waiting(2)
      await released()
      await Promise.all([arrived, failed])
      expect(await summary(deal.id)).toEqual([`us due ${deal.totalMinor - 4_000}`, 'provider_late failed 4000'])
      expect(await escrow.violations()).toEqual([])
    })

    it('is owed together with the rest only as far as a bank has not paid', async () => {
      const deal = await withRefundDue()
      await report(deal, 1, 4_000)
      await report(deal, 1, 4_000, 'failed')
      await escrow.webhook(chargeback(deal.intent, 5_000, 'lost'))
      const owed = (await refundsOf(deal.id)).filter(({ status }) => status !== 'void')
      expect(owed.reduce((sum, { amount }) => sum + amount, 0)).toBe(deal.totalMinor - 5_000)
      expect(await escrow.violations()).toEqual([])
    })

    it('is not owed, and no party reads that it is, when a bank has paid it', async () => {
      const deal = await escrow.paidAtProvider()
      await report(deal, 1, deal.totalMinor)
      await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'lost'))
      await report(deal, 1, deal.totalMinor, 'failed')
      expect(await summary(deal.id)).toEqual([`provider void ${deal.totalMinor}`])
      const steps = await escrow.row(
        `SELECT count(*)::int AS n FROM escrow.timeline WHERE transaction_id = $1 AND kind = 'refundFailed'`,
        [deal.id],
      )
      expect(steps).toEqual({ n: 0 })
      expect(await escrow.violations()).toEqual([])
    })

    /** A deal that such a refund had ended. An operator sends it again. */
    async function sentAgain() {
      const deal = await escrow.paidAtProvider()
      await report(deal, 1, deal.totalMinor)
      await report(deal, 1, deal.totalMinor, 'failed')
      const [refund] = await refundsOf(deal.id)
      await sendAgain(refund!.id)
      return { ...deal, refundId: refund!.id }
    }

    it('is not counted as a new one by a late message, after it was sent again', async () => {
      await takesNoRefund()
      const deal = await sentAgain()
      const { refundId, intent, totalMinor: amount } = deal
      const second = { id: `re_2_${intent}`, refundId, intent, amount, status: 'failed' as const }
      await escrow.webhook(refundEvent('refund.failed', second))
      await report(deal, 1, amount)
      expect(await summary(deal.id)).toEqual([`provider failed ${amount}`])
      expect(await escrow.violations()).toEqual([])
    })

    it('is confirmed once after it was sent again, when it is asked about while the event arrives', async () => {
      await escrow.dependencies.control('/settings', { refunds: 'by_hand' })
      const { id, refundId, intent, totalMinor: amount } = await sentAgain()
      await eventually(async () => (await summary(id))[0] === `provider sent ${amount}`, 30_000)
      await escrow.dependencies.control('/settings', { refunds: 'at_once' })
      const { providerRefundId } = await escrow.row<{ providerRefundId: string }>(
        'SELECT provider_refund_id AS "providerRefundId" FROM escrow.refund WHERE id = $1',
        [refundId],
      )
      const released = await locked('escrow.refund', refundId)
      const event = { id: providerRefundId, refundId, intent, amount, status: 'succeeded' as const }
      const arrived = escrow.webhook(refundEvent('refund.updated', event))
      await waiting(1)
      const asked = escrow.service.app.get(ProviderRefundsService).record({
        ...{ kind: 'refund', type: 'refund.asked', id: `asked_${providerRefundId}`, refundId: null },
        ...{ providerRefundId, intentId: intent, customerId: null, status: 'confirmed', failureReason: null },
        ...{ amountMinor: BigInt(amount), currency: 'USD' },
      })
      await waiting(2)
      await released()
      await Promise.all([arrived, asked])
      expect((await entriesOf(id)).filter(kind => kind === 'refund_confirmed')).toHaveLength(2)
      expect(await summary(id)).toEqual([`provider confirmed ${amount}`])
      expect(await escrow.violations()).toEqual([])
    })

    /** Locks a row. @returns what releases it */
    async function locked(table: string, id: string): Promise<() => Promise<void>> {
      const client = await escrow.database.admin.connect()
      await client.query('BEGIN')
      await client.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id])
      return async () => {
        await client.query('ROLLBACK')
        client.release()
      }
    }
    /** Resolves when so many statements wait for a lock. */
    const waiting = (n: number) =>
      eventually(async () => {
        const found = await escrow.row<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        )
        return found.n >= n
      })
  })

  it('in part leaves the rest for the seller to refund, and only the rest is sent', async () => {
    const deal = await escrow.paidAtProvider()
    await refundByHand(deal, 3_000)
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 200 })
    const sent = () =>
      [...escrow.sandbox.context.state.refunds.oldestFirst()].filter(({ intentId }) => intentId === deal.intent)
    await eventually(() => sent().length === 2, 30_000)
    expect(sent().map(({ amount }) => amount)).toEqual([3_000, deal.totalMinor - 3_000])
    expect(await balancesOf(deal.id)).toEqual({ held: 0, refunded: deal.totalMinor })
    expect(await escrow.violations()).toEqual([])
  })

  it('in another currency than the payment stops the deal and books nothing, and its event is kept', async () => {
    const deal = await escrow.inInspection()
    const refund = { intent: deal.intent, amount: deal.totalMinor, currency: 'eur', status: 'succeeded' as const }
    const event = refundMadeByHand('refund.created', refund)
    for (const each of [event, event]) expect(await escrow.webhook(each)).toMatchObject({ status: 200 })
    expect(await escrow.webhook(refundMadeByHand('refund.updated', refund))).toMatchObject({ status: 200 })
    expect(await escrow.status(deal.id)).toBe('disputed')
    expect(await balancesOf(deal.id)).toEqual({ held: deal.totalMinor, refunded: 0 })
    expect(await entriesOf(deal.id)).toEqual(['charge'])
    expect(await escrow.count('escrow.refund', deal.id)).toBe(0)
    expect(await escrow.row('SELECT handled FROM escrow.webhook_event WHERE id = $1', [event.id])).toEqual({
      handled: false,
    })
    expect(await escrow.violations()).toEqual([])
  })

  it('in another currency does not count as our own, although the amount is the same', async () => {
    const deal = await escrow.paid()
    await escrow.act(deal.id, deal.seller, 'refund')
    const refund = { intent: deal.intent, amount: deal.totalMinor, currency: 'eur', status: 'succeeded' as const }
    expect(await escrow.webhook(refundMadeByHand('refund.created', refund))).toMatchObject({ status: 200 })
    expect(await escrow.row('SELECT status FROM escrow.refund WHERE transaction_id = $1', [deal.id])).toEqual({
      status: 'due',
    })
    expect(await entriesOf(deal.id)).toEqual(['charge', 'refund'])
  })

  it('is not changed by a message that names another payment or amount: that one is kept', async () => {
    const [deal, other] = [await escrow.inInspection(), await escrow.inInspection()]
    await send(deal, 'refund.created', 'succeeded', 3_000)
    const refund = { id: `re_${deal.intent}`, status: 'failed' as const }
    for (const wrong of [
      { intent: other.intent, amount: 3_000 },
      { intent: deal.intent, amount: 1 },
    ])
      expect(await escrow.webhook(refundMadeByHand('refund.failed', { ...refund, ...wrong }))).toMatchObject({
        status: 200,
      })
    expect([await escrow.status(deal.id), await escrow.status(other.id)]).toEqual(['disputed', 'inspection'])
    expect(await entriesOf(deal.id)).toEqual(['charge', 'provider_refund', 'refund_confirmed'])
    expect(await escrow.violations()).toEqual([])
  })

  it('of a payment that is not booked yet is sent again by the provider', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    const event = refundMadeByHand('refund.created', { intent, amount: 100, status: 'succeeded' })
    expect(await escrow.webhookOnce(event)).toMatchObject({ status: 503 })
  })
})
