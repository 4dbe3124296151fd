import { newId } from '@holdfast/kernel/ids'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { chargeback, refundEvent, succeeded } from '@holdfast/testing/stripe-events'
import type { SpiedFunction } from 'jest-mock'
import { RunningEscrow } from '../../test/running-escrow.js'
import { DealsService } from '../deals/deals.service.js'
import { RefundProgressService } from './refund-progress.service.js'
import { RefundsService } from './refunds.service.js'
import { StripeProvider } from './stripe.provider.js'

describe('a refund', () => {
  let escrow: RunningEscrow
  let refunds: RefundsService

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    refunds = escrow.service.app.get(RefundsService)
  })
  afterEach(() => void jest.restoreAllMocks())
  afterAll(() => escrow.stop())

  const refundOf = (id: number) =>
    escrow.row<{ id: string; status: string; provider_refund_id: string }>(
      'SELECT id, status, provider_refund_id FROM escrow.refund WHERE transaction_id = $1',
      [id],
    )
  const atProvider = (intent: string) =>
    [...escrow.sandbox.context.state.refunds.oldestFirst()].filter(refund => refund.intentId === intent)
  /** The lines that the progress of refunds is logged with, at one level. */
  const logged = (level: 'warn' | 'error') => {
    const log: ReturnType<typeof loggerOf> = Reflect.get(escrow.service.app.get(RefundProgressService), 'log')
    const lines = jest.spyOn(log, level)
    return () => lines.mock.calls.map(([, message]) => message as unknown)
  }
  const entriesOf = async (id: number) => (await escrow.entries(id)).filter(kind => kind !== 'provider_fee')

  /** A deal that its seller has refunded, with the refund's row. */
  async function refunded(card?: string) {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.confirmCard(intent, card)
    await escrow.webhook(succeeded(intent, deal.totalMinor))
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 200 })
    return { ...deal, intent, refund: await refundOf(deal.id) }
  }

  /** A refunded deal whose refund stays due: the provider has no money for it. */
  async function refundedUnsent() {
    const deal = await escrow.paid()
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 200 })
    return { ...deal, refund: await refundOf(deal.id) }
  }

  it('is sent once and posted once, although two replicas send it and the provider repeats its events', async () => {
    const { id, intent, totalMinor, refund } = await refunded()
    const replica = await escrow.startReplica()
    try {
      const other = replica.app.get(RefundsService)
      await Promise.all([refunds, other, refunds, other].map(each => each.send(refund.id)))
    } finally {
      await replica.close()
    }
    await eventually(async () => (await refundOf(id)).status === 'confirmed', 30_000)
    const own = { id: (await refundOf(id)).provider_refund_id, refundId: refund.id }
    const sent = { ...own, intent, amount: totalMinor, status: 'succeeded' as const }
    const events = [refundEvent('refund.created', sent), refundEvent('refund.updated', sent)]
    await Promise.all([...events, ...events].map(event => escrow.webhook(event)))
    expect(atProvider(intent)).toHaveLength(1)
    expect(await entriesOf(id)).toEqual(['charge', 'refund', 'refund_confirmed'])
    expect(await escrow.violations()).toEqual([])
  })

  it('that failed for want of money at the provider is sent again by itself after a day, under another key', async () => {
    const { id, intent, refund, totalMinor: amount } = await refundedUnsent()
    const [warnings, errors] = [logged('warn'), logged('error')]
    const failed = { id: 're_poor', refundId: refund.id, intent, amount, status: 'failed' as const }
    await escrow.webhook(refundEvent('refund.failed', { ...failed, failure_reason: 'insufficient_funds' }))
    const rowOf = () =>
      escrow.row<{ status: string; days: number; failed: string[]; attempt: number }>(
        `SELECT status, extract(epoch FROM due_at - now())::float / 86400 AS days, failed_provider_ids AS failed,
           send_attempt AS attempt FROM escrow.refund WHERE transaction_id = $1`,
        [id],
      )
    expect([warnings(), errors()]).toEqual([['a refund failed and is sent again'], []])
    const waiting = await rowOf()
    expect(waiting).toMatchObject({ status: 'failed', failed: [] })
    expect(waiting.days).toBeCloseTo(1, 1)
    await refunds.send(refund.id)
    expect(await rowOf()).toMatchObject({ status: 'failed' })
    await escrow.row('UPDATE escrow.refund SET due_at = now() WHERE id = $1 RETURNING 1', [refund.id])
    await refunds.send(refund.id)
    const sent = await rowOf()
    expect(sent).toMatchObject({ status: 'due', failed: ['re_poor'] })
    expect(sent.attempt).toBeGreaterThan(waiting.attempt)
    expect(await escrow.violations()).toEqual([])
  })

  it('that failed because of the card waits for an operator', async () => {
    const { id, intent, refund, totalMinor: amount } = await refundedUnsent()
    const errors = logged('error')
    const failed = { id: 're_card', refundId: refund.id, intent, amount, status: 'failed' as const }
    await escrow.webhook(refundEvent('refund.failed', { ...failed, failure_reason: 'expired_or_canceled_card' }))
    expect(errors()).toEqual(['a refund did not reach the buyer: an operator must act'])
    const { due_at, last_error } = await escrow.row<{ due_at: Date | null; last_error: string }>(
      'SELECT due_at, last_error FROM escrow.refund WHERE transaction_id = $1',
      [id],
    )
    expect([due_at, last_error]).toEqual([null, 'expired_or_canceled_card'])
  })

  it('that failed is listed before those that go on by themselves, however many these are', async () => {
    const { id, intent, refund, totalMinor: amount } = await refundedUnsent()
    const failed = { id: 're_listed', refundId: refund.id, intent, amount, status: 'failed' as const }
    await escrow.webhook(refundEvent('refund.failed', { ...failed, failure_reason: 'expired_or_canceled_card' }))
    await escrow.database.admin.query(
      `INSERT INTO escrow.refund (id, transaction_id, payment_id, amount_minor, currency, status, origin, created_at, updated_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, transaction_id, payment_id, 1, currency, 'sent', 'provider',
         now(), now() FROM escrow.refund CROSS JOIN generate_series(1, $2::int) n WHERE id = $1`,
      [refund.id, MAX_PAGE_SIZE],
    )
    try {
      const { body } = await escrow.request<object[]>('GET', '/api/admin/refunds', { actor: operator })
      expect(body[0]).toMatchObject({ id: refund.id, status: 'failed' })
    } finally {
      await escrow.database.admin.query(`DELETE FROM escrow.refund WHERE transaction_id = $1 AND status = 'sent'`, [id])
    }
  })

  it('is counted in the metrics, with the age of the oldest one, until it has reached the buyer', async () => {
    const metric = async (name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${escrow.service.opsPort}/metrics`)).text()
      return Number(new RegExp(`^${name}\\{.*status="due".*\\} (.*)$`, 'm').exec(text)?.[1])
    }
    const before = await metric('escrow_refunds')
    const { intent, refund, totalMinor: amount } = await refundedUnsent()
    await escrow.row(`UPDATE escrow.refund SET created_at = now() - interval '1 hour' WHERE id = $1 RETURNING 1`, [
      refund.id,
    ])
    expect(await metric('escrow_refunds')).toBe(before + 1)
    expect(await metric('escrow_refund_age_seconds')).toBeGreaterThanOrEqual(3_600)
    const arrived = { id: 're_arrived', refundId: refund.id, intent, amount, status: 'succeeded' as const }
    expect(await escrow.webhook(refundEvent('refund.updated', arrived))).toMatchObject({ status: 200 })
    expect(await metric('escrow_refunds')).toBe(before)
  })

  it('is owed to the buyer again when the bank returns it after it was confirmed', async () => {
    const { id, intent, totalMinor: amount, refund, buyer } = await refundedUnsent()
    const refundAs = (status: 'pending' | 'succeeded' | 'failed') => ({
      ...{ id: 're_back', refundId: refund.id, intent, amount, status },
    })
    await escrow.webhook(refundEvent('refund.updated', refundAs('succeeded')))
    await escrow.webhook(refundEvent('refund.failed', refundAs('failed')))
    // Late and repeated events change nothing any more.
    await escrow.webhook(refundEvent('refund.updated', refundAs('succeeded')))
    await escrow.webhook(refundEvent('refund.created', refundAs('pending')))
    await escrow.webhook(refundEvent('refund.failed', refundAs('failed')))
    expect(await refundOf(id)).toMatchObject({ status: 'failed' })
    const { kinds } = await escrow.row<{ kinds: string[] }>(
      'SELECT array_agg(kind ORDER BY id) AS kinds FROM escrow.timeline WHERE transaction_id = $1',
      [id],
    )
    expect(kinds.filter(kind => kind === 'refundFailed')).toHaveLength(1)
    expect(await escrow.request('GET', `/internal/transactions/${id}`, { actor: buyer })).toMatchObject({
      body: { refund: 'failed' },
    })
    expect(await entriesOf(id)).toEqual(['charge', 'refund', 'refund_confirmed', 'refund_returned'])
    expect(await escrow.violations()).toEqual([])
  })

  it('of a payment that is not ours posts nothing, and its event is answered with 200', async () => {
    const deal = await escrow.paid()
    for (const refundId of [newId(), 'made-by-hand']) {
      const foreign = { id: 're_foreign', refundId, intent: 'pi_foreign', amount: 1, status: 'succeeded' as const }
      expect(await escrow.webhook(refundEvent('refund.updated', foreign))).toMatchObject({ status: 200 })
    }
    expect(await entriesOf(deal.id)).toEqual(['charge'])
  })

  describe('that an event names only in its metadata', () => {
    const kept = () =>
      escrow.row<{ n: number }>('SELECT count(*)::int AS n FROM escrow.webhook_event WHERE NOT handled')
    const confirmed = (of: {
      refundId: string
      intent: string | null
      amount: number
      currency?: string
      id?: string
    }) => escrow.webhook(refundEvent('refund.updated', { id: `re_${newId()}`, status: 'succeeded', ...of }))

    it('is still sent when the event is about one cent of another deal, which is booked and stopped', async () => {
      const [ours, other] = [await refundedUnsent(), await escrow.paid()]
      expect(await confirmed({ refundId: ours.refund.id, intent: other.intent, amount: 1 })).toMatchObject({
        status: 200,
      })
      expect(await refundOf(ours.id)).toMatchObject({ status: 'due' })
      expect(await entriesOf(ours.id)).toEqual(['charge', 'refund'])
      expect(await escrow.status(other.id)).toBe('disputed')
      expect(await entriesOf(other.id)).toEqual(['charge', 'provider_refund', 'refund_confirmed'])
      expect(await escrow.violations()).toEqual([])
    })

    it('is still sent when the event is about another amount of the same payment, which is booked as made by hand', async () => {
      const { id, intent, refund } = await refundedUnsent()
      expect(await confirmed({ refundId: refund.id, intent, amount: 1 })).toMatchObject({ status: 200 })
      expect(
        (await escrow.row<{ status: string }>('SELECT status FROM escrow.refund WHERE id = $1', [refund.id])).status,
      ).toBe('due')
      // The cent that has left is not refunded a second time.
      const booked = ['provider_refund', 'refund_confirmed', 'refund_paid_otherwise']
      expect(await entriesOf(id)).toEqual(['charge', 'refund', ...booked])
      expect(await escrow.violations()).toEqual([])
    })

    it('is still sent when the event names no payment of ours or another currency, and the event is kept', async () => {
      const { id, intent, totalMinor: amount, refund } = await refundedUnsent()
      const { n: before } = await kept()
      for (const wrong of [{ intent: null }, { intent: 'pi_unknown' }, { currency: 'eur' }])
        expect(await confirmed({ refundId: refund.id, intent, amount, ...wrong })).toMatchObject({ status: 200 })
      expect(await refundOf(id)).toMatchObject({ status: 'due' })
      expect(await entriesOf(id)).toEqual(['charge', 'refund'])
      expect((await kept()).n).toBe(before + 3)
    })

    it('is not touched by an event that has its id at the provider and another payment or amount', async () => {
      const { id, intent, totalMinor: amount, refund } = await refundedUnsent()
      const other = await escrow.paid()
      const sent = { id: `re_${newId()}`, refundId: refund.id, intent, amount }
      await escrow.webhook(refundEvent('refund.created', { ...sent, status: 'pending' }))
      for (const wrong of [{ intent: other.intent }, { amount: 1 }])
        expect(await confirmed({ ...sent, ...wrong })).toMatchObject({ status: 200 })
      expect(await refundOf(id)).toMatchObject({ status: 'sent', provider_refund_id: sent.id })
      expect([await entriesOf(id), await entriesOf(other.id)]).toEqual([['charge', 'refund'], ['charge']])
    })
  })

  it('stays failed when the event about its creation arrives last', async () => {
    const { id, intent, totalMinor: amount, refund } = await refundedUnsent()
    const refundAs = (status: 'pending' | 'failed') => ({
      ...{ id: 're_failed', refundId: refund.id, intent, amount, status },
    })
    await escrow.webhook(refundEvent('refund.failed', refundAs('failed')))
    await escrow.webhook(refundEvent('refund.created', refundAs('pending')))
    expect(await refundOf(id)).toMatchObject({ status: 'failed' })
    expect(await entriesOf(id)).toEqual(['charge', 'refund'])
    expect(await escrow.violations()).toEqual([])
  })

  const operator = { ...userActor(), role: 'admin' as const }
  const sentAgain = async (id: string, actor = operator) =>
    escrow.request('POST', `/api/admin/refunds/${id}/send-again`, {
      actor,
      body: { reason: 'Card replaced' },
    })
  const makeDue = (id: string) =>
    escrow.database.admin.query('UPDATE escrow.refund SET due_at = now() WHERE id = $1', [id])

  it('that was sent is asked about until it is final, although no event comes', async () => {
    await escrow.dependencies.control('/settings', { refunds: 'by_hand' })
    const { id, intent, refund } = await refunded()
    await eventually(async () => (await refundOf(id)).status === 'sent', 30_000)
    await escrow.dependencies.control(`/refunds/${atProvider(intent)[0]!.id}/settle`)
    await escrow.dependencies.control('/settings', { refunds: 'at_once' })
    await makeDue(refund.id)
    await refunds.send(refund.id)
    expect(await refundOf(id)).toMatchObject({ status: 'confirmed' })
    expect(await entriesOf(id)).toEqual(['charge', 'refund', 'refund_confirmed'])
  })

  it('that failed is sent again by an operator as a new refund, and a late event about the first one changes nothing', async () => {
    const { id, intent, totalMinor: amount, refund } = await refunded()
    await eventually(async () => (await refundOf(id)).status === 'confirmed', 30_000)
    expect(await sentAgain(refund.id)).toMatchObject({ status: 409 })
    const [first] = atProvider(intent)
    await escrow.dependencies.control(`/refunds/${first!.id}/fail`)
    const failed = { id: first!.id, refundId: refund.id, intent, amount, status: 'failed' as const }
    const failure = refundEvent('refund.failed', failed)
    await escrow.webhook(failure)
    const { buyer } = await escrow.row<{ buyer: string }>(
      'SELECT buyer_id AS buyer FROM escrow.transaction WHERE id = $1',
      [id],
    )
    const party = { ...operator, id: buyer }
    expect(await sentAgain(refund.id, party)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await sentAgain(refund.id)).toMatchObject({ status: 200 })
    expect(await escrow.request('GET', `/internal/admin/acts?subject=refund:${refund.id}`)).toMatchObject({
      body: [
        {
          act: 'refund.send_again',
          actorId: operator.id,
          before: { status: 'failed' },
          after: { status: 'due', transactionId: id },
          reason: 'Card replaced',
        },
      ],
    })
    await refunds.send(refund.id)
    await escrow.webhook({ ...failure, id: 'evt_late' })
    expect(await refundOf(id)).toMatchObject({ status: 'confirmed' })
    expect(atProvider(intent).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
    expect(await escrow.violations()).toEqual([])
  })

  it('is sent although the provider has stored an error under its key', async () => {
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds' })
    const { id, intent, refund } = await refunded()
    await eventually(async () => {
      await makeDue(refund.id)
      await refunds.send(refund.id)
      return (await refundOf(id)).status === 'confirmed'
    }, 30_000)
    expect(atProvider(intent)).toHaveLength(1)
    expect(await escrow.violations()).toEqual([])
  })

  /** Waits until nothing more is sent of a refund: Stripe's SDK sends it again within seconds. The provider drops its keys after a day. */
  const sendingEnds = async ({ mock }: SpiedFunction<StripeProvider['refund']>, refundId: string) => {
    const nth = await eventually(() => mock.calls.findIndex(([{ id }]) => id === refundId) + 1)
    await Promise.allSettled([mock.results[nth - 1]?.value])
  }

  it('is found at the provider although the provider has dropped its idempotency key', async () => {
    const asked = jest.spyOn(escrow.service.app.get(StripeProvider), 'refund')
    await escrow.dependencies.control('/faults', {
      ...{ kind: 'lose_answer', method: 'POST', path: '/v1/refunds', times: 3 },
    })
    const { id, intent, refund } = await refunded()
    await sendingEnds(asked, (await refundOf(id)).id)
    expect(atProvider(intent)).toHaveLength(1)
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
    expect(await entriesOf(id)).toEqual(['charge', 'refund', 'refund_confirmed'])
  })

  it('of a part is sent once although the provider has dropped its idempotency key', async () => {
    const asked = jest.spyOn(escrow.service.app.get(StripeProvider), 'refund')
    const { id, intent, buyer } = await escrow.paidAtProvider()
    expect(await escrow.dispute(id, 'freeze', 7, buyer.id)).toMatchObject({ status: 200 })
    await escrow.dependencies.control('/faults', {
      ...{ kind: 'lose_answer', method: 'POST', path: '/v1/refunds', times: 3 },
    })
    expect(await escrow.settleDispute(id, 7, { refundAmount: '40.00', cause: 'ruling' })).toMatchObject({ status: 200 })
    await sendingEnds(asked, (await refundOf(id)).id)
    expect(atProvider(intent)).toHaveLength(1)
    escrow.sandbox.context.state.idempotency.clear()
    await eventually(async () => {
      const { id: refundId, status } = await refundOf(id)
      await makeDue(refundId)
      await refunds.send(refundId)
      return status === 'confirmed'
    }, 40_000)
    expect(atProvider(intent).map(({ amount }) => amount)).toEqual([4000])
    expect(await escrow.violations()).toEqual([])
  })

  it('that is found at the provider with more than is still owed is booked with what the provider has sent', async () => {
    const provider = escrow.service.app.get(StripeProvider)
    const send = provider.refund.bind(provider)
    const lostAnswer = jest.spyOn(provider, 'refund').mockImplementation(async refund => {
      await send(refund)
      throw new Error('the answer is lost')
    })
    const { id, intent, totalMinor, refund } = await refunded()
    const rowOf = () =>
      escrow.row<{ status: string; attempts: number; amount_minor: string }>(
        'SELECT status, attempts, amount_minor FROM escrow.refund WHERE id = $1',
        [refund.id],
      )
    await eventually(async () => (await rowOf()).attempts > 0, 30_000)
    // The bank gives the buyer a part, so less is owed. The provider has sent all of it before.
    expect(await escrow.webhook(chargeback(intent, 4000, 'lost'))).toMatchObject({ status: 200 })
    expect(await rowOf()).toMatchObject({ status: 'due', amount_minor: String(totalMinor - 4000) })
    lostAnswer.mockRestore()
    await eventually(async () => {
      await makeDue(refund.id)
      await refunds.send(refund.id)
      return (await rowOf()).status === 'confirmed'
    }, 30_000)
    expect(atProvider(intent).map(({ amount }) => amount)).toEqual([totalMinor])
    expect(await rowOf()).toMatchObject({ amount_minor: String(totalMinor) })
    expect((await entriesOf(id)).filter(kind => kind === 'refund_paid_otherwise')).toHaveLength(2)
    // The event about it fits.
    const { provider_refund_id: providerId } = await refundOf(id)
    const fields = { id: providerId, refundId: refund.id, intent, amount: totalMinor, status: 'succeeded' as const }
    expect(await escrow.webhook(refundEvent('refund.updated', fields, `evt_${id}`))).toMatchObject({ status: 200 })
    const { n } = await escrow.row<{ n: number }>(
      'SELECT count(*)::int AS n FROM escrow.webhook_event WHERE id = $1 AND NOT handled',
      [`evt_${id}`],
    )
    expect(n).toBe(0)
    expect(await escrow.violations()).toEqual([])
  })

  it('that was reduced while it could not be sent is sent under another key than before', async () => {
    const keys = new Map<number, bigint>()
    jest
      .spyOn(escrow.service.app.get(StripeProvider), 'refund')
      .mockImplementation(async ({ intentId, attempt, amountMinor }) => {
        if (keys.size === 0) await escrow.webhook(chargeback(intentId, 4000, 'lost'))
        keys.set(attempt, amountMinor)
        throw new Error('no answer')
      })
    const { totalMinor, refund } = await refunded()
    await eventually(async () => {
      await makeDue(refund.id)
      await refunds.send(refund.id)
      return keys.size > 1
    }, 30_000)
    expect([...keys]).toEqual([
      [1, BigInt(totalMinor)],
      [2, BigInt(totalMinor - 4000)],
    ])
  })

  it('is made once and in full for a payment whose deal was cancelled in the meantime', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.service.app.get(DealsService).cancel(deal.id, { userId: deal.buyer.id, key: null })
    await escrow.confirmCard(intent)
    const send = () => escrow.webhook(succeeded(intent, deal.totalMinor))
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await eventually(async () => (await refundOf(deal.id)).status === 'confirmed', 30_000)
    expect(await entriesOf(deal.id)).toEqual(['stray_payment', 'stray_refund_confirmed'])
    const sent = atProvider(intent)
    expect(sent.map(refund => refund.amount)).toEqual([deal.totalMinor])
    expect(await escrow.violations()).toEqual([])

    // The bank gives it back.
    const { id } = await refundOf(deal.id)
    const returned = { id: sent[0]!.id, refundId: id, intent, amount: deal.totalMinor, status: 'failed' } as const
    await escrow.webhook(refundEvent('refund.failed', returned))
    expect(await refundOf(deal.id)).toMatchObject({ status: 'failed' })
    expect(await entriesOf(deal.id)).toEqual(['stray_payment', 'stray_refund_confirmed', 'stray_refund_returned'])
    expect(await escrow.violations()).toEqual([])
  })
})
