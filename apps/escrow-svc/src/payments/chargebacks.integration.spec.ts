import { transactionRefundFailed } from '@holdfast/contracts/events'
import type { PayoutsOverview } from '@holdfast/contracts/payouts'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import type { Account } from '@holdfast/kernel/ledger'
import { formatAmount } from '@holdfast/kernel/money'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { type ChargebackStep, chargeback, refundEvent } from '@holdfast/testing/stripe-events'
import { untilServed } from '@holdfast/testing/until-served'
import { DataSource } from 'typeorm'
import { waitingEvents } from '../../test/published-events.js'
import { raceInBatches } from '../../test/races.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { adjustment } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { StuckService } from '../stuck/stuck.service.js'
import { EventsForOperators } from './events-for-operators.js'
import { RefundsService } from './refunds.service.js'

/** Every order of some things. */
function permutationsOf<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]]
  return things.flatMap((first, i) => permutationsOf(things.toSpliced(i, 1)).map(rest => [first, ...rest]))
}

describe('a chargeback', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const send = async (deal: { intent: string; totalMinor: number }, step: ChargebackStep, more = {}) =>
    expect(await escrow.webhook(chargeback(deal.intent, deal.totalMinor, step, more))).toMatchObject({ status: 200 })
  const entriesOf = async (id: number) => (await escrow.entries(id)).filter(kind => kind !== 'provider_fee')
  const balancesOf = (id: number) =>
    escrow.row<{ held: number; released: number; revenue: number; charged_back: number }>(
      `SELECT hold_minor::int AS held, released_minor::int AS released, revenue_minor::int AS revenue,
         charged_back_minor::int AS charged_back FROM escrow.transaction WHERE id = $1`,
      [id],
    )
  const kindsOf = async (id: number) =>
    (
      await escrow.database.admin.query<{ kind: string }>(
        'SELECT kind FROM escrow.timeline WHERE transaction_id = $1 ORDER BY id',
        [id],
      )
    ).rows.map(({ kind }) => kind)

  it('stops a deal whose money is held, so that neither the clock nor the buyer releases it', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'created')
    expect(await escrow.status(deal.id)).toBe('disputed')
    expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened'])
    expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ status: 409 })
    await escrow.elapse(deal.id, 60)
    await escrow.fireTimers(deal.id)
    expect(await escrow.status(deal.id)).toBe('disputed')
    expect(await kindsOf(deal.id)).toContain('chargebackFreeze')
    expect(await escrow.violations()).toEqual([])
  })

  it('has each effect once, although its events come twice, at the same time and late', async () => {
    const deal = await escrow.inInspection()
    const created = chargeback(deal.intent, deal.totalMinor, 'created')
    const withdrawn = chargeback(deal.intent, deal.totalMinor, 'funds_withdrawn')
    const answers = await Promise.all([created, created, withdrawn, withdrawn].map(event => escrow.webhook(event)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await send(deal, 'won')
    await send(deal, 'funds_reinstated')
    await send(deal, 'created')
    await send(deal, 'updated')
    expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened', 'chargeback_won'])
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect(await escrow.violations()).toEqual([])
  })

  it('that is won lets the deal go on with the time that it had left', async () => {
    const deal = await escrow.inInspection()
    const dueAt = () => escrow.row<{ due_at: Date }>('SELECT due_at FROM escrow.transaction WHERE id = $1', [deal.id])
    const before = (await dueAt()).due_at.getTime()
    await send(deal, 'created')
    await send(deal, 'won')
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect(Math.abs((await dueAt()).due_at.getTime() - before)).toBeLessThan(10_000)
    expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ status: 200 })
    expect(await escrow.violations()).toEqual([])
  })

  it('that is lost while the money is held takes it from the hold and ends the deal', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'created')
    await send(deal, 'lost')
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await balancesOf(deal.id)).toEqual({ held: 0, released: 0, revenue: 0, charged_back: deal.totalMinor })
    expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened', 'chargeback_lost'])
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 409 })
    const seen = await escrow.request<{ money: object }>('GET', `/internal/transactions/${deal.id}`, {
      actor: deal.buyer,
    })
    expect(seen.body.money).toMatchObject({ held: '0.00', chargedBack: '107.00' })
    expect(await escrow.violations()).toEqual([])
  })

  it.each(['won', 'lost'] as const)('whose end (%s) comes before its beginning has the same effect', async end => {
    const deal = await escrow.inInspection()
    await send(deal, end)
    await send(deal, 'created')
    expect(await escrow.status(deal.id)).toBe(end === 'won' ? 'inspection' : 'cancelled')
    expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened', `chargeback_${end}`])
    expect(await escrow.violations()).toEqual([])
  })

  it('after the release is booked, leaves the deal completed, and takes what each side got when it is lost', async () => {
    const deal = await escrow.inInspection()
    await escrow.act(deal.id, deal.buyer, 'accept')
    await send(deal, 'created')
    expect(await escrow.status(deal.id)).toBe('completed')
    await send(deal, 'lost')
    expect(await escrow.status(deal.id)).toBe('completed')
    expect(await balancesOf(deal.id)).toEqual({ held: 0, released: 0, revenue: 0, charged_back: deal.totalMinor })
    expect(await entriesOf(deal.id)).toEqual(['charge', 'release', 'chargeback_opened', 'chargeback_lost'])
    expect(await escrow.violations()).toEqual([])
  })

  describe('after the release', () => {
    const seenBy = async (id: number, actor: UserActor) => {
      const { body } = await escrow.request<Pick<TransactionRecord, 'chargeback'>>(
        'GET',
        `/internal/transactions/${id}`,
        { actor },
      )
      const list = await escrow.request<(Pick<TransactionRecord, 'chargeback'> & { id: number })[]>(
        'GET',
        '/internal/transactions',
        { actor },
      )
      expect(list.body.find(each => each.id === id)!.chargeback).toEqual(body.chargeback)
      return body.chargeback
    }
    const balanceOf = async (actor: UserActor) =>
      (await escrow.request<PayoutsOverview>('GET', '/api/payouts', { actor })).body
    const completed = async () => {
      const deal = await escrow.inInspection()
      await escrow.act(deal.id, deal.buyer, 'accept')
      return deal
    }

    it('is shown to both parties while the bank decides, and keeps the seller’s share from being paid out', async () => {
      const deal = await completed()
      expect(await seenBy(deal.id, deal.buyer)).toBeNull()
      await send(deal, 'created')
      const open = { status: 'open', amount: '107.00', fromSeller: '98.50', since: expect.any(String) }
      expect(await seenBy(deal.id, deal.buyer)).toEqual(open)
      expect(await seenBy(deal.id, deal.seller)).toEqual(open)
      expect(await balanceOf(deal.seller)).toMatchObject({
        available: '0.00',
        chargebacks: [{ transactionId: deal.id, title: 'Camera', status: 'open', amount: '98.50' }],
      })
      expect((await balanceOf(deal.buyer)).chargebacks).toEqual([])
    })

    it('that is lost says what it took from the seller, and that one that is won took nothing', async () => {
      const [lost, won] = [await completed(), await completed()]
      await send(lost, 'created')
      await send(lost, 'lost')
      await send(won, 'created')
      await send(won, 'won')
      expect(await seenBy(lost.id, lost.seller)).toMatchObject({
        status: 'lost',
        amount: '107.00',
        fromSeller: '98.50',
      })
      expect(await balanceOf(lost.seller)).toMatchObject({
        available: '0.00',
        chargebacks: [{ transactionId: lost.id, status: 'lost', amount: '98.50' }],
      })
      expect(await seenBy(won.id, won.buyer)).toMatchObject({ status: 'won', amount: '107.00', fromSeller: '0.00' })
      expect(await balanceOf(won.seller)).toMatchObject({ available: '98.50', chargebacks: [] })
    })

    it('of parts shows the open part first, with no more than the seller still has of this payment', async () => {
      const deal = await completed()
      await send({ ...deal, totalMinor: 5_000 }, 'lost', { id: `du_first_${deal.id}` })
      await send({ ...deal, totalMinor: 5_700 }, 'created', { id: `du_second_${deal.id}` })
      expect(await seenBy(deal.id, deal.seller)).toMatchObject({ status: 'open', amount: '57.00', fromSeller: '48.50' })
      expect((await balanceOf(deal.seller)).chargebacks).toMatchObject([
        { status: 'open', amount: '48.50' },
        { status: 'lost', amount: '50.00' },
      ])
    })

    it('took nothing from the seller when the money was still held', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'created')
      expect(await seenBy(deal.id, deal.seller)).toBeNull()
      await send(deal, 'lost')
      expect(await seenBy(deal.id, deal.seller)).toMatchObject({ status: 'lost', amount: '107.00', fromSeller: '0.00' })
      expect((await balanceOf(deal.seller)).chargebacks).toEqual([])
    })
  })

  it('of a deal that a party has disputed is booked, keeps that dispute from being withdrawn, and ends it when lost', async () => {
    const deal = await escrow.inInspection()
    await escrow.dispute(deal.id, 'freeze', 7, deal.buyer.id)
    await send(deal, 'created')
    expect(await escrow.dispute(deal.id, 'resume', 7)).toMatchObject({
      status: 409,
      body: { code: 'ESCROW_STOPPED_BY_PROVIDER' },
    })
    expect(await escrow.status(deal.id)).toBe('disputed')
    await send(deal, 'lost')
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await escrow.violations()).toEqual([])
  })

  it('that is won leaves a deal that a party has disputed in dispute', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'created')
    const other = await escrow.inInspection()
    await escrow.dispute(other.id, 'freeze', 8, other.buyer.id)
    await send(other, 'created')
    await send(other, 'won')
    expect(await escrow.status(other.id)).toBe('disputed')
    expect(await escrow.dispute(other.id, 'resume', 8)).toMatchObject({ status: 200 })
    expect(await escrow.status(deal.id)).toBe('disputed')
  })

  it('of a part of the payment that is lost keeps the rest held and the deal stopped', async () => {
    const deal = await escrow.inInspection()
    await send({ ...deal, totalMinor: 700 }, 'created')
    await send({ ...deal, totalMinor: 700 }, 'lost')
    expect(await escrow.status(deal.id)).toBe('disputed')
    expect(await balancesOf(deal.id)).toMatchObject({ held: deal.totalMinor - 700, charged_back: 700 })
    expect(await escrow.violations()).toEqual([])
  })

  it.each([
    ['inquiry', { status: 'warning_needs_response' }, { status: 'warning_closed' }],
    ['open', {}, { status: 'won' }],
  ])('that no bank decides is measured by its age (%s)', async (status, begun, ended) => {
    const age = async () => {
      const text = await (await fetch(`http://127.0.0.1:${escrow.service.opsPort}/metrics`)).text()
      return Number(new RegExp(`^escrow_chargeback_age_seconds\\{.*status="${status}".*\\} (.*)$`, 'm').exec(text)?.[1])
    }
    const deal = await escrow.inInspection()
    await send(deal, 'created', begun)
    const day = 86_400
    await escrow.row(
      `UPDATE escrow.chargeback SET updated_at = now() - interval '100 days' WHERE transaction_id = $1 RETURNING 1`,
      [deal.id],
    )
    expect(await age()).toBeGreaterThanOrEqual(100 * day)
    await send(deal, 'updated', ended)
    expect(await age()).toBeLessThan(day)
  })

  it('that is only an inquiry stops the deal, books nothing, and lets it go on when it is closed', async () => {
    const deal = await escrow.inInspection()
    await send(deal, 'created', { status: 'warning_needs_response' })
    expect(await escrow.status(deal.id)).toBe('disputed')
    await send(deal, 'updated', { status: 'warning_closed' })
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect(await entriesOf(deal.id)).toEqual(['charge'])
  })

  describe('in another currency than the payment', () => {
    const rowOf = (id: number) =>
      escrow.row<{ id: string; currency: string; status: string; withdrawn: boolean }>(
        'SELECT id, currency, status, withdrawn FROM escrow.chargeback WHERE transaction_id = $1',
        [id],
      )

    it('stops the deal and books nothing, and the deal goes on when it is won', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'created', { currency: 'eur' })
      expect(await escrow.status(deal.id)).toBe('disputed')
      expect(await rowOf(deal.id)).toMatchObject({ currency: 'EUR', status: 'open', withdrawn: false })
      await send(deal, 'won', { currency: 'eur' })
      expect(await escrow.status(deal.id)).toBe('inspection')
      expect(await entriesOf(deal.id)).toEqual(['charge'])
      expect(await escrow.violations()).toEqual([])
    })

    it('that is lost keeps the deal stopped, with all of its money held', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'lost', { currency: 'eur' })
      await send(deal, 'created', { currency: 'eur' })
      expect(await rowOf(deal.id)).toMatchObject({ currency: 'EUR', status: 'lost', withdrawn: false })
      expect(await escrow.status(deal.id)).toBe('disputed')
      expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 409 })
      const { cases } = await escrow.service.app.get(StuckService).find()
      expect(cases).toContainEqual(
        expect.objectContaining({ kind: 'chargeback_not_booked', transactionId: deal.id, runbook: 'chargebacks.md' }),
      )
      expect(await balancesOf(deal.id)).toMatchObject({ held: deal.totalMinor, charged_back: 0 })
      expect(await entriesOf(deal.id)).toEqual(['charge'])
      expect(await escrow.violations()).toEqual([])
    })

    /** What the provider has taken from our balance, and given back, for 9,000 cents of another currency. */
    const converted = (...amounts: number[]) => ({
      currency: 'eur',
      balance_transactions: amounts.map(amount => ({ amount, fee: 0, currency: 'usd' })),
    })

    it('is booked as soon as the provider says what left our balance, and again when that comes back', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'created', { currency: 'eur' })
      await send(deal, 'funds_withdrawn', converted(-deal.totalMinor))
      expect(await rowOf(deal.id)).toMatchObject({ currency: 'USD', status: 'open', withdrawn: true })
      expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened'])
      // What comes late, or twice, is not booked again.
      await send(deal, 'created', { currency: 'eur' })
      await send(deal, 'funds_withdrawn', converted(-deal.totalMinor))
      expect(await escrow.status(deal.id)).toBe('disputed')
      await send(deal, 'won', converted(-deal.totalMinor, deal.totalMinor))
      expect(await escrow.status(deal.id)).toBe('inspection')
      expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened', 'chargeback_won'])
      expect(await escrow.violations()).toEqual([])
    })

    it('that is lost and converted ends the deal, also when it took more than the payment', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'created', { currency: 'eur' })
      await send(deal, 'lost', converted(-deal.totalMinor - 30))
      expect(await escrow.status(deal.id)).toBe('cancelled')
      expect(await balancesOf(deal.id)).toMatchObject({ held: 0, charged_back: deal.totalMinor })
      expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened', 'chargeback_lost'])
      expect(await escrow.violations()).toEqual([])
    })

    it('that is lost before the provider says what left our balance is booked afterwards', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'lost', { currency: 'eur' })
      await send(deal, 'funds_withdrawn', { ...converted(-deal.totalMinor), status: 'lost', day: 60 })
      expect(await escrow.status(deal.id)).toBe('cancelled')
      expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened', 'chargeback_lost'])
      expect(await escrow.violations()).toEqual([])
    })

    it('that is lost and converted pays a refund of ours, which is not sent any more', async () => {
      const deal = await escrow.paid()
      await escrow.act(deal.id, deal.seller, 'refund')
      await send(deal, 'lost', converted(-deal.totalMinor))
      expect(await escrow.row('SELECT status FROM escrow.refund WHERE transaction_id = $1', [deal.id])).toEqual({
        status: 'void',
      })
      expect(await escrow.violations()).toEqual([])
    })

    it('that is lost and converted of a deal that has ended is borne by its seller', async () => {
      const deal = await escrow.inInspection()
      await escrow.act(deal.id, deal.buyer, 'accept')
      await send(deal, 'lost', converted(-deal.totalMinor))
      expect(await entriesOf(deal.id)).toEqual(['charge', 'release', 'chargeback_opened', 'chargeback_lost'])
      expect(await balancesOf(deal.id)).toMatchObject({ held: 0, charged_back: deal.totalMinor })
      expect(await escrow.violations()).toEqual([])
    })

    it('that is lost leaves a refund of ours as it is while the provider names no movement', async () => {
      const deal = await escrow.paid()
      await escrow.act(deal.id, deal.seller, 'refund')
      await send(deal, 'lost', { currency: 'eur' })
      expect(
        await escrow.row('SELECT status, amount_minor::int AS amount FROM escrow.refund WHERE transaction_id = $1', [
          deal.id,
        ]),
      ).toEqual({ status: 'due', amount: deal.totalMinor })
      expect(await entriesOf(deal.id)).toEqual(['charge', 'refund'])
      expect(await escrow.violations()).toEqual([])
    })

    it('of a deal that has ended is recorded and books nothing', async () => {
      const deal = await escrow.inInspection()
      await escrow.act(deal.id, deal.buyer, 'accept')
      await send(deal, 'lost', { currency: 'eur' })
      expect(await rowOf(deal.id)).toMatchObject({ currency: 'EUR', status: 'lost', withdrawn: false })
      expect(await entriesOf(deal.id)).toEqual(['charge', 'release'])
      expect(await escrow.violations()).toEqual([])
    })
  })

  describe('that is lost while a refund of ours', () => {
    const refundOf = (id: number) =>
      escrow.row<{ id: string; status: string; amount: number }>(
        'SELECT id, status, amount_minor::int AS amount FROM escrow.refund WHERE transaction_id = $1',
        [id],
      )
    const refundsAtProvider = ({ intent }: { intent: string }) =>
      [...escrow.sandbox.context.state.refunds.oldestFirst()].filter(({ intentId }) => intentId === intent)
    const owedOf = (id: number) =>
      escrow.row<{ owed: number; costs: number }>(
        `SELECT coalesce(sum(amount_minor) FILTER (WHERE credit = 'refund_due:' || e.transaction_id), 0)::int
           - coalesce(sum(amount_minor) FILTER (WHERE debit = 'refund_due:' || e.transaction_id), 0)::int AS owed,
           coalesce(sum(amount_minor) FILTER (WHERE debit = 'provider_costs'), 0)::int
           - coalesce(sum(amount_minor) FILTER (WHERE credit = 'provider_costs'), 0)::int AS costs
         FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
         WHERE e.transaction_id = $1 AND e.kind <> 'provider_fee'`,
        [id],
      )
    /** The amounts of which both parties read that the refund has failed and is still owed. */
    const announcedAsFailed = async (id: number) => {
      await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0)
      const { rows } = await escrow.database.admin.query<{ refund: string }>(
        `SELECT payload->>'refund' AS refund FROM events.log WHERE type = $1 AND key = $2::text`,
        [transactionRefundFailed.type, id],
      )
      return rows.map(({ refund }) => refund)
    }
    /** A deal that its seller has refunded while the provider took no refund. */
    async function withRefundDue() {
      await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 100 })
      const deal = await escrow.paidAtProvider()
      expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 200 })
      return deal
    }
    const sendRefund = async (id: number) => {
      await escrow.dependencies.control('/faults', {}, 'DELETE')
      const refund = await refundOf(id)
      await escrow.database.admin.query(`UPDATE escrow.refund SET due_at = now() WHERE id = $1 AND status = 'due'`, [
        refund.id,
      ])
      await escrow.service.app.get(RefundsService).send(refund.id)
    }

    it('is made at the same moment leaves books that add up, on 100 deals', async () => {
      const deals: { id: number; totalMinor: number }[] = []
      await raceInBatches(100, async () => {
        const deal = await escrow.paidAtProvider()
        deals.push(deal)
        return async lead => {
          await Promise.all([
            lead.one(() => untilServed(() => escrow.act(deal.id, deal.seller, 'refund'))),
            lead.other(() => send(deal, 'lost')),
          ])
        }
      })
      const refunds = new Set<number>()
      for (const { id, totalMinor } of deals) {
        const { rows } = await escrow.database.admin.query(
          'SELECT amount_minor::int AS amount FROM escrow.refund WHERE transaction_id = $1',
          [id],
        )
        expect([[], [{ amount: totalMinor }]]).toContainEqual(rows)
        refunds.add(rows.length)
        expect([await escrow.status(id), await balancesOf(id)]).toMatchObject(['cancelled', { held: 0, released: 0 }])
      }
      // The chargeback came first in some races, and the refund in others.
      expect(refunds).toEqual(new Set([0, 1]))
      expect(await escrow.violations()).toEqual([])
    })

    it('was not sent pays the buyer once, and costs us nothing', async () => {
      const deal = await withRefundDue()
      await send(deal, 'created')
      await send(deal, 'lost')
      await sendRefund(deal.id)
      expect(refundsAtProvider(deal)).toEqual([])
      expect(await refundOf(deal.id)).toMatchObject({ status: 'void' })
      expect(await owedOf(deal.id)).toEqual({ owed: 0, costs: 0 })
      const { body } = await escrow.request<TransactionRecord>('GET', `/internal/transactions/${deal.id}`, {
        actor: deal.buyer,
      })
      expect(body.money).toMatchObject({ held: '0.00', refunded: '0.00', chargedBack: body.money.buyerTotal })
      expect(await escrow.violations()).toEqual([])
    })

    it('was not sent leaves the part to be refunded that the bank has not paid', async () => {
      const deal = await withRefundDue()
      await send({ ...deal, totalMinor: 700 }, 'lost')
      await sendRefund(deal.id)
      await eventually(async () => (await refundOf(deal.id)).status === 'confirmed', 30_000)
      expect(refundsAtProvider(deal).map(({ amount }) => amount)).toEqual([deal.totalMinor - 700])
      expect(await owedOf(deal.id)).toEqual({ owed: 0, costs: 0 })
      expect(await escrow.violations()).toEqual([])
    })

    it('was not sent is sent when the bank has decided for us', async () => {
      const deal = await withRefundDue()
      await escrow.dependencies.control('/faults', {}, 'DELETE')
      await escrow.dependencies.control(`/payments/${deal.intent}/dispute`)
      await sendRefund(deal.id)
      expect(await refundOf(deal.id)).toMatchObject({ status: 'due', amount: deal.totalMinor })
      const [dispute] = [...escrow.sandbox.context.state.disputes.newestFirst()]
      await escrow.dependencies.control(`/disputes/${dispute!.id}/close`, { outcome: 'won' })
      await escrow.sendProviderEvents(deal.intent, 'charge.dispute.')
      await sendRefund(deal.id)
      await eventually(async () => (await refundOf(deal.id)).status === 'confirmed', 30_000)
      expect(refundsAtProvider(deal).map(({ amount }) => amount)).toEqual([deal.totalMinor])
      expect(await owedOf(deal.id)).toEqual({ owed: 0, costs: 0 })
      expect(await escrow.violations()).toEqual([])
    })

    it('was sent costs us the chargeback, and when it fails it is not sent again and no party reads that we owe it', async () => {
      const deal = await escrow.paidAtProvider()
      await escrow.act(deal.id, deal.seller, 'refund')
      await eventually(async () => (await refundOf(deal.id)).status === 'confirmed', 30_000)
      await send(deal, 'created')
      await send(deal, 'lost')
      expect(await owedOf(deal.id)).toEqual({ owed: 0, costs: deal.totalMinor })
      expect(await escrow.violations()).toEqual([])
      const own = { refundId: (await refundOf(deal.id)).id, intent: deal.intent, amount: deal.totalMinor }
      const failed = { ...own, id: refundsAtProvider(deal)[0]!.id, status: 'failed' as const }
      expect(await escrow.webhook(refundEvent('refund.failed', failed))).toMatchObject({ status: 200 })
      // A late event about the attempt that has failed changes nothing.
      const late = refundEvent('refund.updated', { ...failed, status: 'succeeded' })
      expect(await escrow.webhook(late)).toMatchObject({ status: 200 })
      expect(await refundOf(deal.id)).toMatchObject({ status: 'void' })
      expect(await owedOf(deal.id)).toEqual({ owed: 0, costs: 0 })
      expect(await escrow.violations()).toEqual([])
      expect(await announcedAsFailed(deal.id)).toEqual([])
    })

    it('was sent and fails is announced as owed only as far as the bank has not paid it', async () => {
      const deal = await escrow.paidAtProvider()
      await escrow.act(deal.id, deal.seller, 'refund')
      await eventually(async () => (await refundOf(deal.id)).status === 'confirmed', 30_000)
      await send({ ...deal, totalMinor: 700 }, 'lost')
      const own = { refundId: (await refundOf(deal.id)).id, intent: deal.intent, amount: deal.totalMinor }
      const failed = { ...own, id: refundsAtProvider(deal)[0]!.id, status: 'failed' as const }
      expect(await escrow.webhook(refundEvent('refund.failed', failed))).toMatchObject({ status: 200 })
      expect(await owedOf(deal.id)).toEqual({ owed: deal.totalMinor - 700, costs: 0 })
      expect(await announcedAsFailed(deal.id)).toEqual([formatAmount(BigInt(deal.totalMinor - 700), 'USD')])
    })

    it('was taken for unsent but had reached the provider books the second payment as our cost', async () => {
      const deal = await withRefundDue()
      await send(deal, 'lost')
      const { id, status } = await refundOf(deal.id)
      expect(status).toBe('void')
      const own = { id: `re_late_${id}`, refundId: id, intent: deal.intent, amount: deal.totalMinor }
      await escrow.webhook(refundEvent('refund.updated', { ...own, status: 'succeeded' }))
      await escrow.dependencies.control('/faults', {}, 'DELETE')
      expect(await owedOf(deal.id)).toEqual({ owed: 0, costs: deal.totalMinor })
      expect(await escrow.violations()).toEqual([])
    })
  })

  it('is not changed by a message that names another payment, amount or currency: that one is kept', async () => {
    const [deal, other] = [await escrow.inInspection(), await escrow.inInspection()]
    await send(deal, 'created')
    const id = `du_${deal.intent}`
    await send(other, 'won', { id })
    await send({ ...deal, totalMinor: 1 }, 'won')
    await send(deal, 'won', { currency: 'eur' })
    const kept = await escrow.row('SELECT count(*)::int AS n FROM escrow.webhook_event WHERE NOT handled')
    expect(kept).toEqual({ n: 3 })
    expect([await escrow.status(deal.id), await escrow.status(other.id)]).toEqual(['disputed', 'inspection'])
    expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened'])
    expect(await escrow.violations()).toEqual([])
  })

  describe('whose bank decides a second time, and otherwise', () => {
    const kept = async () =>
      (await escrow.row<{ n: number }>('SELECT count(*)::int AS n FROM escrow.webhook_event WHERE NOT handled')).n
    const movedAtProvider = async (id: number) =>
      (
        await escrow.row<{ n: number }>(
          `SELECT coalesce(sum(CASE p.debit WHEN 'provider_clearing' THEN p.amount_minor ELSE -p.amount_minor END), 0)::int AS n
             FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
            WHERE e.transaction_id = $1 AND e.kind LIKE 'chargeback%' AND 'provider_clearing' IN (p.debit, p.credit)`,
          [id],
        )
      ).n
    const costsOf = async (id: number) =>
      (
        await escrow.row<{ n: number }>(
          `SELECT coalesce(sum(CASE p.debit WHEN 'provider_costs' THEN p.amount_minor ELSE -p.amount_minor END), 0)::int AS n
             FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
            WHERE e.transaction_id = $1 AND e.kind <> 'provider_fee' AND 'provider_costs' IN (p.debit, p.credit)`,
          [id],
        )
      ).n
    const adjust = (debit: Account, credit: Account, amountMinor: number) =>
      escrow.service.app
        .get(DataSource)
        .transaction(async manager =>
          postEntry(manager, null, 'USD', adjustment(debit, credit, BigInt(amountMinor)), await databaseTime(manager)),
        )
    const forOperators = async () =>
      (await escrow.service.app.get(EventsForOperators).list({ limit: 100 })).map(({ transactionId }) => transactionId)
    const completed = async () => {
      const deal = await escrow.inInspection()
      await escrow.act(deal.id, deal.buyer, 'accept')
      return deal
    }
    const RELEASED = { held: 0, released: 9850, revenue: 850, charged_back: 0 }
    const LOST = { held: 0, released: 0, revenue: 0, charged_back: 10_700 }

    it('gives the money back to the seller and to us after a lost one, and takes it from both again after a won one', async () => {
      const deal = await completed()
      await send(deal, 'created')
      await send(deal, 'lost')
      await send(deal, 'won', { day: 90 })
      await send(deal, 'funds_reinstated', { day: 90 })
      expect(await balancesOf(deal.id)).toEqual(RELEASED)
      expect(await movedAtProvider(deal.id)).toBe(0)
      expect(await kindsOf(deal.id)).toEqual(expect.arrayContaining(['chargebackBooked', 'chargebackWon']))
      await send(deal, 'lost', { day: 120 })
      expect(await balancesOf(deal.id)).toEqual(LOST)
      expect(await movedAtProvider(deal.id)).toBe(-deal.totalMinor)
      expect(await entriesOf(deal.id)).toEqual([
        ...['charge', 'release', 'chargeback_opened', 'chargeback_lost', 'chargeback_returned'],
        ...['chargeback_opened', 'chargeback_lost'],
      ])
      expect(await escrow.violations()).toEqual([])
    })

    it.each([
      ['lost', 'won', 'lost'],
      ['lost', 'lost', 'won'],
      ['won', 'lost', 'lost'],
    ] as const)('has the same effect in any order (%s, %s, %s)', async (...outcomes) => {
      const decisions = outcomes.map((outcome, nth) => ({ outcome, day: 60 + nth }))
      for (const order of permutationsOf(decisions)) {
        const deal = await completed()
        for (const { outcome, day } of order) await send(deal, outcome, { day })
        await send(deal, 'created')
        for (const { outcome, day } of order) await send(deal, outcome, { day })
        expect(await balancesOf(deal.id)).toEqual(outcomes[2] === 'won' ? RELEASED : LOST)
        expect(await movedAtProvider(deal.id)).toBe(outcomes[2] === 'won' ? 0 : -deal.totalMinor)
      }
      expect(await escrow.violations()).toEqual([])
    })

    it('leaves a deal cancelled that held the money, and keeps on our costs what the bank gave back', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'lost')
      await send(deal, 'won', { day: 90 })
      expect(await escrow.status(deal.id)).toBe('cancelled')
      expect(await balancesOf(deal.id)).toEqual(LOST)
      expect([await movedAtProvider(deal.id), await costsOf(deal.id)]).toEqual([0, -deal.totalMinor])
      await send(deal, 'lost', { day: 91 })
      expect([await movedAtProvider(deal.id), await costsOf(deal.id)]).toEqual([-deal.totalMinor, 0])
      await send(deal, 'won', { day: 92 })
      expect([await movedAtProvider(deal.id), await costsOf(deal.id)]).toEqual([0, -deal.totalMinor])
      expect(await escrow.violations()).toEqual([])
    })

    it('keeps on our costs, for an operator, what an operator has given the seller since the loss', async () => {
      const deal = await completed()
      await send(deal, 'lost')
      // 60.00 for the loss, and 10.00 of it taken back.
      await adjust('provider_costs', `seller_payable:${deal.seller.id}`, 6000)
      await adjust(`seller_payable:${deal.seller.id}`, 'provider_costs', 1000)
      await send(deal, 'won', { day: 90 })
      expect(await balancesOf(deal.id)).toEqual({ ...RELEASED, released: 9850 - 5000, charged_back: 5000 })
      expect([await movedAtProvider(deal.id), await costsOf(deal.id)]).toEqual([0, -5000])
      expect(await forOperators()).toContain(deal.id)
      expect(await escrow.violations()).toEqual([])

      // What is on our costs is lost first when the bank decides once more.
      await send(deal, 'lost', { day: 91 })
      expect(await balancesOf(deal.id)).toEqual(LOST)
      expect(await costsOf(deal.id)).toBe(0)
      expect(await escrow.violations()).toEqual([])
    })

    it('gives a seller back what no adjustment since the loss has given them', async () => {
      const deal = await completed()
      await adjust('provider_costs', `seller_payable:${deal.seller.id}`, 700)
      await send(deal, 'lost')
      await adjust('provider_costs', `seller_payable:${userActor().id}`, 700)
      await send(deal, 'won', { day: 90 })
      expect(await balancesOf(deal.id)).toEqual(RELEASED)
      expect(await forOperators()).not.toContain(deal.id)
      expect(await escrow.violations()).toEqual([])
    })

    it('holds a lost part again, and the deal goes on', async () => {
      const deal = await escrow.inInspection()
      const part = { ...deal, totalMinor: 700 }
      await send(part, 'created')
      await send(part, 'lost')
      expect(await escrow.status(deal.id)).toBe('disputed')
      await send(part, 'won', { day: 90 })
      expect(await escrow.status(deal.id)).toBe('inspection')
      expect(await balancesOf(deal.id)).toMatchObject({ held: deal.totalMinor, charged_back: 0 })
      expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ status: 200 })
      expect(await escrow.violations()).toEqual([])
    })

    it('ends a deal that went on after the first decision', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'created')
      await send(deal, 'won')
      expect(await escrow.status(deal.id)).toBe('inspection')
      await send(deal, 'lost', { day: 90 })
      expect(await escrow.status(deal.id)).toBe('cancelled')
      expect(await balancesOf(deal.id)).toEqual(LOST)
      expect(await escrow.violations()).toEqual([])
    })

    it('stops a deal again when it takes the money before it says what it decides', async () => {
      const deal = await escrow.inInspection()
      await send(deal, 'created')
      await send(deal, 'won')
      await send(deal, 'funds_withdrawn', { status: 'won', day: 90 })
      expect(await escrow.status(deal.id)).toBe('disputed')
      expect(await movedAtProvider(deal.id)).toBe(-deal.totalMinor)
      await send(deal, 'won')
      expect(await escrow.status(deal.id)).toBe('disputed')
      await send(deal, 'won', { day: 100 })
      expect(await escrow.status(deal.id)).toBe('inspection')
      expect(await movedAtProvider(deal.id)).toBe(0)
      expect(await escrow.violations()).toEqual([])
    })

    const movements = (...amounts: number[]) => ({
      balance_transactions: amounts.map(amount => ({ amount, fee: 0, currency: 'usd' })),
    })

    it('is booked by the money that comes back, also while the event still says lost', async () => {
      const deal = await completed()
      await send(deal, 'lost')
      const back = { status: 'lost', day: 90, ...movements(-deal.totalMinor, deal.totalMinor) }
      await send(deal, 'funds_reinstated', back)
      expect(await balancesOf(deal.id)).toEqual(RELEASED)
      expect(await escrow.violations()).toEqual([])
    })

    it('is kept for an operator when only a part comes back', async () => {
      const [deal, before] = [await completed(), await kept()]
      await send(deal, 'lost')
      await send(deal, 'funds_reinstated', { status: 'lost', day: 90, ...movements(-deal.totalMinor, 700) })
      expect(await balancesOf(deal.id)).toEqual(LOST)
      expect(await kept()).toBe(before + 1)
    })

    it('is kept for an operator, and books nothing, when nobody can say which decision is the later one', async () => {
      const before = await kept()
      const [lost, won, older] = [await escrow.inInspection(), await escrow.inInspection(), await completed()]
      for (const [deal, first, second] of [
        [lost, 'lost', 'won'],
        [won, 'won', 'lost'],
      ] as const) {
        await send(deal, 'created')
        await send(deal, first)
        const entries = await entriesOf(deal.id)
        await send(deal, second)
        await send(deal, first)
        expect(await entriesOf(deal.id)).toEqual(entries)
      }
      // A release that did not keep the provider's time has stored this one.
      await send(older, 'lost')
      await escrow.row('UPDATE escrow.chargeback SET as_of = NULL WHERE transaction_id = $1 RETURNING 1', [older.id])
      await send(older, 'won', { day: 61 })
      expect(await kept()).toBe(before + 3)
      await send(older, 'won', { day: 10_000 })
      expect(await balancesOf(older.id)).toEqual(RELEASED)
      expect(await escrow.violations()).toEqual([])
    })

    it('gives back what a chargeback of a part took, and leaves the other lost one with those who bear it', async () => {
      const deal = await completed()
      await send({ ...deal, totalMinor: 9_000 }, 'lost', { id: `du_first_${deal.id}` })
      await send({ ...deal, totalMinor: 1_700 }, 'lost', { id: `du_second_${deal.id}` })
      await send({ ...deal, totalMinor: 9_000 }, 'won', { id: `du_first_${deal.id}`, day: 90 })
      expect(await balancesOf(deal.id)).toEqual({ held: 0, released: 8_150, revenue: 850, charged_back: 1_700 })
      const { body } = await escrow.request<Pick<TransactionRecord, 'chargeback'>>(
        'GET',
        `/internal/transactions/${deal.id}`,
        { actor: deal.seller },
      )
      expect(body.chargeback).toMatchObject({ status: 'lost', amount: '17.00', fromSeller: '17.00' })
      expect(await escrow.violations()).toEqual([])
    })

    it('gives back each of two parts that have ended a deal', async () => {
      const deal = await escrow.inInspection()
      const [first, second] = [
        { ...deal, totalMinor: 4_000 },
        { ...deal, totalMinor: deal.totalMinor - 4_000 },
      ]
      await send(first, 'lost', { id: `du_first_${deal.id}` })
      await send(second, 'lost', { id: `du_second_${deal.id}` })
      expect(await escrow.status(deal.id)).toBe('cancelled')
      await send(first, 'won', { id: `du_first_${deal.id}`, day: 90 })
      await send(second, 'won', { id: `du_second_${deal.id}`, day: 91 })
      expect([await movedAtProvider(deal.id), await costsOf(deal.id)]).toEqual([0, -deal.totalMinor])
      expect(await escrow.violations()).toEqual([])
    })

    it('is booked once when a later event repeats that it was lost, although all of it has come back', async () => {
      const deal = await completed()
      await send(deal, 'lost')
      const back = { status: 'lost', ...movements(-deal.totalMinor, deal.totalMinor) }
      await send(deal, 'updated', { ...back, day: 91 })
      await send(deal, 'funds_reinstated', { ...back, day: 90 })
      await send(deal, 'lost', { ...back, day: 92 })
      expect(await balancesOf(deal.id)).toEqual(RELEASED)
      expect(await movedAtProvider(deal.id)).toBe(0)
      expect(await escrow.violations()).toEqual([])
    })

    it('leaves a refund void that the bank had paid, and keeps the money for an operator', async () => {
      const deal = await escrow.paid()
      await escrow.act(deal.id, deal.seller, 'refund')
      await send(deal, 'lost')
      await send(deal, 'won', { day: 90 })
      expect(await escrow.row('SELECT status FROM escrow.refund WHERE transaction_id = $1', [deal.id])).toEqual({
        status: 'void',
      })
      expect(await costsOf(deal.id)).toBe(-deal.totalMinor)
      expect(await escrow.violations()).toEqual([])
    })

    it('at the sandbox leaves as much at the provider as in our books, with its fee', async () => {
      const deal = await escrow.paidAtProvider()
      const fee = async () => (await entriesOf(deal.id)).filter(kind => kind.startsWith('chargeback_fee'))
      await escrow.dependencies.control(`/payments/${deal.intent}/dispute`)
      const [dispute] = [...escrow.sandbox.context.state.disputes.newestFirst()]
      await escrow.dependencies.control(`/disputes/${dispute!.id}/close`, { outcome: 'lost' })
      await escrow.sendProviderEvents(deal.intent, 'charge.dispute.')
      // Stripe's times have no fractions of a second.
      await new Promise(resolve => setTimeout(resolve, 1_000))
      await escrow.dependencies.control(`/disputes/${dispute!.id}/decide-again`)
      await escrow.sendProviderEvents(deal.intent, 'charge.dispute.')
      expect(await movedAtProvider(deal.id)).toBe(0)
      expect(await fee()).toEqual(['chargeback_fee', 'chargeback_fee_returned'])
      expect(await escrow.violations()).toEqual([])
    })
  })

  it('counts with its own amount when it was an inquiry about another amount before', async () => {
    const deal = await escrow.inInspection()
    await send({ ...deal, totalMinor: 500 }, 'created', { status: 'warning_needs_response' })
    await send(deal, 'updated', { status: 'needs_response' })
    await send(deal, 'lost')
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await balancesOf(deal.id)).toMatchObject({ held: 0, charged_back: deal.totalMinor })
    expect(
      await escrow.row('SELECT amount_minor::int AS n FROM escrow.chargeback WHERE transaction_id = $1', [deal.id]),
    ).toEqual({ n: deal.totalMinor })
  })

  it('of a charge that is not ours is kept', async () => {
    const event = chargeback('pi_unknown', 100, 'created')
    expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
    expect(await escrow.row('SELECT handled FROM escrow.webhook_event WHERE id = $1', [event.id])).toEqual({
      handled: false,
    })
  })

  it('of a payment that is not booked yet is sent again by the provider', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    expect(await escrow.webhookOnce(chargeback(intent, deal.totalMinor, 'created'))).toMatchObject({ status: 503 })
  })

  it('at the sandbox is understood as the provider sends it', async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.dependencies.control(`/payments/${deal.intent}/dispute`)
    await escrow.sendProviderEvents(deal.intent, 'charge.dispute.')
    expect(await escrow.status(deal.id)).toBe('disputed')
    expect(await entriesOf(deal.id)).toEqual(['charge', 'chargeback_opened', 'chargeback_fee'])
  })
})
