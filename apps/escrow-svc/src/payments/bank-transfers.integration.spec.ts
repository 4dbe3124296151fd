import type { BankTransfer } from '@holdfast/contracts/payments'
import { newId } from '@holdfast/kernel/ids'
import { NO_CALL } from '@holdfast/sandbox/context'
import { moveCash } from '@holdfast/sandbox/payments/bank-transfers'
import { DataSource } from 'typeorm'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { DealQueries } from '../deals/deal-queries.js'
import { DealsRepository } from '../deals/deals.repository.js'
import { DealsService } from '../deals/deals.service.js'
import { FundsService } from './funds.service.js'
import { PaymentsRepository } from './payments.repository.js'
import { RefundsService } from './refunds.service.js'
import { StripeProvider } from './stripe.provider.js'

/** The buyer of 100.00 pays 1.5 % by bank. */
const TOTAL = 10_150

interface Begun {
  readonly code?: string
  readonly total: string
  readonly bankTransfer: BankTransfer
}

const BUYERS_ADDRESS = 'buyer@example.com'

describe('paying by bank transfer', () => {
  let escrow: RunningEscrow
  const sent = new Set<string>()

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    await escrow.dependencies.control('/settings', { refunds: 'by_hand' })
  })
  afterAll(async () => {
    const violations = await escrow.violations()
    await escrow.stop()
    expect(violations).toEqual([])
  })

  const begin = (deal: DealUnderTest, method = 'bank', payerEmail: string | null = BUYERS_ADDRESS) =>
    escrow.request<Begun>('POST', `/internal/transactions/${deal.id}/payments`, {
      actor: deal.buyer,
      body: { method, payerEmail },
      headers: { 'idempotency-key': newId() },
    })

  /** A deal whose buyer has the bank details. */
  async function begun() {
    const deal = await escrow.open({ price: '100.00' })
    const { status, body } = await begin(deal)
    if (status !== 201) throw new Error(`no payment: ${status} ${JSON.stringify(body)}`)
    const { intent_id: intent } = await escrow.row<{ intent_id: string }>(
      `SELECT intent_id FROM escrow.payment WHERE transaction_id = $1 AND method = 'bank' AND NOT stray`,
      [deal.id],
    )
    return { ...deal, intent, details: body.bankTransfer }
  }
  type BegunDeal = Awaited<ReturnType<typeof begun>>

  /** The events of the provider that were not sent yet, as it sends them. */
  function newEvents() {
    const found = []
    for (const { id, type, objectJson } of escrow.sandbox.context.state.events.oldestFirst()) {
      if (sent.has(id)) continue
      sent.add(id)
      found.push({ id, object: 'event', type, livemode: false, data: { object: JSON.parse(objectJson) as object } })
    }
    return found
  }

  /** Sends the new events, or those of one type: in order and again in reverse, as the provider may. */
  async function tell({ reverse = false, only = null as string | null } = {}) {
    const events = newEvents().filter(({ type }) => only === null || type === only)
    const order = reverse ? [...events].reverse() : events
    for (const event of [...order, ...[...events].reverse()])
      expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
  }

  /** The new events of these types about the payment of a deal. */
  function eventsOf({ intent }: BegunDeal, ...types: string[]) {
    const events = newEvents().filter(({ data: { object } }) => 'id' in object && object.id === intent)
    return types.map(wanted => events.find(({ type }) => type === wanted))
  }

  const transfer = async ({ intent }: BegunDeal, amount: number) => {
    await escrow.dependencies.control(`/payments/${intent}/transfer`, { amount })
    await tell()
  }
  const bankSays = async ({ intent }: BegunDeal, move: 'settle' | 'decline') => {
    await escrow.dependencies.control(`/payments/${intent}/${move}`)
    await tell()
  }
  const shown = async (deal: DealUnderTest, actor = deal.buyer) =>
    (
      await escrow.request<{ status: string; method: string; bankTransfer: BankTransfer | null }>(
        'GET',
        `/api/transactions/${deal.id}/payment`,
        { actor },
      )
    ).body

  const reported = new Set<string>()
  /**
   * Sends the refunds of a deal that are due and lets them arrive. On a slow machine the service has sent some of them already.
   *
   * @returns what went back to the buyer's bank since the last call, in minor units
   */
  async function returned(deal: DealUnderTest): Promise<number[]> {
    const { rows } = await escrow.database.admin.query<{ id: string }>(
      'SELECT id FROM escrow.refund WHERE transaction_id = $1 ORDER BY id',
      [deal.id],
    )
    const ids = rows.map(({ id }) => id).filter(id => !reported.has(id))
    for (const id of ids) {
      reported.add(id)
      await escrow.service.app.get(RefundsService).send(id)
    }
    const atProvider = [...escrow.sandbox.context.state.refunds.oldestFirst()].filter(({ metadata }) =>
      ids.includes(metadata.refund_id ?? ''),
    )
    for (const { id, status } of atProvider)
      if (status === 'pending') await escrow.dependencies.control(`/refunds/${id}/settle`)
    await tell()
    return atProvider.map(({ amount }) => amount)
  }
  const unappliedOf = async ({ id }: DealUnderTest) =>
    (
      await escrow.row<{ sum: string }>(
        `SELECT coalesce(sum(CASE WHEN p.credit LIKE 'unapplied:%' THEN p.amount_minor ELSE -p.amount_minor END), 0) AS sum
           FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
          WHERE e.transaction_id = $1 AND (p.credit LIKE 'unapplied:%' OR p.debit LIKE 'unapplied:%')`,
        [id],
      )
    ).sum

  it('gives the buyer bank details of their own, and five days', async () => {
    const deal = await begun()
    expect(deal.details).toEqual({
      accountHolder: expect.any(String),
      bankName: expect.any(String),
      routingNumber: expect.stringMatching(/^\d{9}$/),
      accountNumber: expect.stringMatching(/^\d+$/),
      reference: expect.stringMatching(/\S/),
      ...{ total: '101.50', received: '0.00', missing: '101.50', currency: 'USD' },
    })
    expect(await shown(deal)).toMatchObject({ status: 'open', method: 'bank', bankTransfer: deal.details })
    expect(await shown(deal, deal.seller)).toMatchObject({ status: 'open', bankTransfer: null })
    // Choosing it again gives no more time.
    await begin(deal)
    const { days } = await escrow.row<{ days: string }>(
      `SELECT extract(epoch FROM due_at - created_at) / 86400 AS days FROM escrow.transaction WHERE id = $1`,
      [deal.id],
    )
    expect(Number(days)).toBeCloseTo(5)
  })

  it('gives the provider the buyer’s address, without which it gives no money back', async () => {
    const deal = await escrow.open()
    expect(await begin(deal, 'bank', null)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: { fields: { payerEmail: 'Required' } } },
    })
    const { intent } = await begun()
    const { intents, customers } = escrow.sandbox.context.state
    const { customerId } = intents.get(intent)!
    expect(customers.get(customerId!)?.email).toBe(BUYERS_ADDRESS)
  })

  it('gives the provider the address that the buyer has when they ask for the bank details again', async () => {
    const deal = await begun()
    expect(await begin(deal, 'bank', 'new@example.com')).toMatchObject({ status: 201 })
    const { intents, customers } = escrow.sandbox.context.state
    expect(customers.get(intents.get(deal.intent)!.customerId!)?.email).toBe('new@example.com')
  })

  it('has no address to erase at a payer who was deleted in the provider’s dashboard', async () => {
    const { intent } = await begun()
    const { intents, customers } = escrow.sandbox.context.state
    const { customerId, metadata } = intents.get(intent)!
    customers.put({ ...customers.get(customerId!)!, deleted: true })
    await escrow.service.app.get(StripeProvider).eraseAddresses(metadata.payment_id!, customerId!)
  })

  it('takes an attempt up again when the buyer’s address has changed since', async () => {
    const payment = {
      id: newId(),
      transactionId: 1,
      attempt: 1,
      amountMinor: 100n,
      currency: 'USD',
      method: 'bank',
    } as const
    const provider = escrow.service.app.get(StripeProvider)
    const first = await provider.createIntent({ ...payment, payerEmail: 'old@example.com' })
    expect((await provider.createIntent({ ...payment, payerEmail: 'new@example.com' })).id).toBe(first.id)
    expect(escrow.sandbox.context.state.customers.get(first.customerId!)?.email).toBe('new@example.com')
  })

  it('is secured when the money has arrived and paid when it is final; until then nothing can be done with it', async () => {
    const deal = await begun()
    await transfer(deal, TOTAL)
    expect(await escrow.status(deal.id)).toBe('secured')
    expect(await escrow.entries(deal.id)).toEqual([])
    expect(await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: 'T1' })).toMatchObject({
      body: { code: 'ESCROW_WRONG_STATE' },
    })
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ body: { code: 'ESCROW_WRONG_STATE' } })
    expect(await escrow.cancel(deal.id, deal.buyer)).toMatchObject({ body: { code: 'ESCROW_WRONG_STATE' } })
    expect(await escrow.dispute(deal.id, 'freeze', 900 + deal.id, deal.buyer.id)).toMatchObject({
      body: { code: 'ESCROW_WRONG_STATE' },
    })
    expect(await begin(deal, 'card')).toMatchObject({ body: { code: 'ESCROW_WRONG_STATE' } })
    await bankSays(deal, 'settle')
    expect(await escrow.status(deal.id)).toBe('paid')
    expect(await escrow.entries(deal.id)).toEqual(['charge'])
    expect(await escrow.row('SELECT hold_minor::int AS hold FROM escrow.transaction WHERE id = $1', [deal.id])).toEqual(
      {
        hold: TOTAL,
      },
    )
  })

  it('is paid by several transfers; what is missing is shown', async () => {
    const deal = await begun()
    await transfer(deal, 5_000)
    expect(await escrow.status(deal.id)).toBe('pending')
    expect((await shown(deal)).bankTransfer).toMatchObject({ received: '50.00', missing: '51.50' })
    await transfer(deal, 5_150)
    expect(await escrow.status(deal.id)).toBe('secured')
    await bankSays(deal, 'settle')
    expect(await escrow.status(deal.id)).toBe('paid')
    expect(await returned(deal)).toEqual([])
  })

  it('holds the price and returns what is too much, and every further transfer', async () => {
    const deal = await begun()
    await transfer(deal, TOTAL + 850)
    expect(await escrow.status(deal.id)).toBe('secured')
    expect(await unappliedOf(deal)).toBe('850')
    await bankSays(deal, 'settle')
    await transfer(deal, TOTAL)
    expect(await returned(deal)).toEqual([850, TOTAL])
    expect(await unappliedOf(deal)).toBe('0')
    expect(await escrow.status(deal.id)).toBe('paid')
    // The seller refunds: the payment itself goes back as well, once.
    await escrow.act(deal.id, deal.seller, 'refund')
    expect(await returned(deal)).toEqual([TOTAL])
    expect(await escrow.status(deal.id)).toBe('cancelled')
  })

  it('waits for a payment again when the bank takes the money back, and can then be paid by card', async () => {
    const deal = await begun()
    await transfer(deal, TOTAL)
    await bankSays(deal, 'decline')
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await escrow.entries(deal.id)).toEqual([])
    expect(await shown(deal)).toMatchObject({ status: 'failed', method: 'bank' })
    // A transfer to the old bank details is returned. A new payment has new ones.
    await transfer(deal, 2_000)
    expect(await returned(deal)).toEqual([2_000])
    expect((await begin(deal)).body.bankTransfer.accountNumber).not.toBe(deal.details.accountNumber)
    expect(await begin(deal, 'card')).toMatchObject({ status: 201, body: { total: '107.00' } })
  })

  it('returns what has arrived when the buyer pays by card instead, cancels, or lets the time pass', async () => {
    const [byCard, cancelled, late] = [await begun(), await begun(), await begun()]
    for (const deal of [byCard, cancelled, late]) await transfer(deal, 4_000)
    expect(await begin(byCard, 'card')).toMatchObject({ status: 201 })
    expect(await escrow.cancel(cancelled.id, cancelled.seller)).toMatchObject({ status: 200 })
    await escrow.elapse(late.id, 6)
    await escrow.fireTimers(late.id)
    expect(await escrow.status(byCard.id)).toBe('pending')
    for (const deal of [cancelled, late]) expect(await escrow.status(deal.id)).toBe('cancelled')
    // No event has come yet. Those that come later find the money booked.
    for (const deal of [byCard, cancelled, late]) expect(await unappliedOf(deal)).toBe('4000')
    await tell()
    for (const deal of [byCard, cancelled, late]) {
      expect(await returned(deal)).toEqual([4_000])
      await transfer(deal, TOTAL)
      expect(await returned(deal)).toEqual([TOTAL])
      expect(await unappliedOf(deal)).toBe('0')
    }
  })

  it.each(['payment_intent.canceled', 'customer_cash_balance_transaction.created'])(
    'returns what has arrived when the payment was cancelled at the provider and only %s says so',
    async heard => {
      const deal = await begun()
      await transfer(deal, 4_000)
      await escrow.service.app.get(StripeProvider).cancelIntent(deal.intent)
      await tell({ only: heard })
      expect(await returned(deal)).toEqual([4_000])
      expect(await unappliedOf(deal)).toBe('0')
    },
  )

  it('does not count the money of a refund that the provider gave up as new: it is owed already', async () => {
    const deal = await begun()
    await transfer(deal, TOTAL)
    await bankSays(deal, 'settle')
    await escrow.act(deal.id, deal.seller, 'refund')
    const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [deal.id])
    await escrow.service.app.get(RefundsService).send(id)
    // It fails below.
    reported.add(id)
    const { context } = escrow.sandbox
    const refund = [...context.state.refunds.oldestFirst()].find(({ metadata }) => metadata.refund_id === id)!
    await escrow.dependencies.control(`/refunds/${refund.id}/fail`)
    const { customerId } = context.state.intents.get(deal.intent)!
    const { amount: netAmount, currency, id: refundId } = refund
    moveCash(context, NO_CALL, {
      customerId: customerId!,
      type: 'refunded_from_payment',
      netAmount,
      currency,
      refundId,
    })
    await tell()
    await transfer(deal, 2_000)
    expect(await unappliedOf(deal)).toBe('2000')
    expect(await returned(deal)).toEqual([2_000])
  })

  describe('when the bank takes back money that no payment took', () => {
    const takeBack = (deal: BegunDeal, amount: number) => {
      const { context } = escrow.sandbox
      const { customerId, currency } = context.state.intents.get(deal.intent)!
      moveCash(context, NO_CALL, { customerId: customerId!, type: 'funding_reversed', netAmount: -amount, currency })
    }
    const refundsOf = async (deal: DealUnderTest) =>
      (
        await escrow.database.admin.query<{ status: string; amount: number }>(
          'SELECT status, amount_minor::int AS amount FROM escrow.refund WHERE transaction_id = $1 ORDER BY id',
          [deal.id],
        )
      ).rows
    /** A refund waits, because the provider cannot be reached. */
    const waiting = async (...amounts: number[]) => {
      const deal = await begun()
      await escrow.cancel(deal.id, deal.seller)
      await escrow.dependencies.control('/faults', { kind: 'refuse', path: '/v1/refunds', method: 'POST', times: 99 })
      for (const amount of amounts) await transfer(deal, amount)
      return deal
    }
    const reachable = () => escrow.dependencies.control('/faults', {}, 'DELETE')

    it('nothing of it is refunded, and what is left is', async () => {
      const deal = await waiting(4_000, 1_500)
      takeBack(deal, 4_000)
      await tell({ reverse: true })
      expect(await unappliedOf(deal)).toBe('1500')
      await reachable()
      await escrow.database.admin.query(
        `UPDATE escrow.refund SET due_at = now() WHERE transaction_id = $1 AND status = 'due'`,
        [deal.id],
      )
      expect(await returned(deal)).toEqual([1_500])
      expect(await unappliedOf(deal)).toBe('0')
      expect(await escrow.entries(deal.id)).toContain('stray_payment_reversed')
    })

    it('it is found when the provider refuses the refund, although no event has said so', async () => {
      const deal = await waiting(3_000)
      takeBack(deal, 3_000)
      newEvents()
      await reachable()
      await escrow.database.admin.query('UPDATE escrow.refund SET due_at = now() WHERE transaction_id = $1', [deal.id])
      expect(await returned(deal)).toEqual([])
      expect(await refundsOf(deal)).toMatchObject([{ status: 'void' }])
      expect(await unappliedOf(deal)).toBe('0')
    })

    it('what was refunded before stays refunded', async () => {
      const deal = await begun()
      await escrow.cancel(deal.id, deal.seller)
      await transfer(deal, 2_500)
      expect(await returned(deal)).toEqual([2_500])
      takeBack(deal, 2_500)
      await tell()
      expect(await refundsOf(deal)).toMatchObject([{ status: 'confirmed', amount: 2_500 }])
      expect(await unappliedOf(deal)).toBe('0')
      expect(await escrow.violations()).toEqual([])
    })
  })

  it('returns two parts that two replicas see at the same moment', async () => {
    const deal = await begun()
    expect(await escrow.cancel(deal.id, deal.seller)).toMatchObject({ status: 200 })
    const replica = await escrow.startReplica()
    try {
      /** A replica that has read what is booked, and goes on when it is let. */
      const recording = async ({ app }: typeof replica) => {
        const dataSource = app.get(DataSource)
        const query = dataSource.query.bind(dataSource)
        let goOn = () => {}
        const letGo = new Promise<void>(resolve => {
          goOn = resolve
        })
        const intent = await app.get(StripeProvider).getIntent(deal.intent)
        let done = Promise.resolve()
        await new Promise<void>(hasRead => {
          jest.spyOn(dataSource, 'query').mockImplementation(async (...sent) => {
            const rows = await query(...sent)
            if (!sent[0].includes('AS sum FROM payment')) return rows
            hasRead()
            await letGo
            return rows
          })
          done = app.get(FundsService).recordCancelled(intent)
        })
        return () => {
          goOn()
          return done
        }
      }
      await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: 2_000 })
      const first = await recording(escrow.service)
      await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: 3_000 })
      const second = await recording(replica)
      await first()
      await second()
    } finally {
      jest.restoreAllMocks()
      await replica.close()
    }
    expect(await unappliedOf(deal)).toBe('5000')
    expect((await returned(deal)).toSorted()).toEqual([2_000, 3_000])
    expect(await unappliedOf(deal)).toBe('0')
  })

  it('returns a part that was kept before the service ended, together with the next one', async () => {
    const deal = await begun()
    expect(await escrow.cancel(deal.id, deal.seller)).toMatchObject({ status: 200 })
    const write = jest.spyOn(escrow.service.app.get(DealsRepository), 'changeByIntent')
    write.mockRejectedValue(new Error('the service ends'))
    await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: 2_000 })
    const intent = await escrow.service.app.get(StripeProvider).getIntent(deal.intent)
    const record = () => escrow.service.app.get(FundsService).recordCancelled(intent)
    await expect(record()).rejects.toThrow('the service ends')
    await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: 3_000 })
    await expect(record()).rejects.toThrow('the service ends')
    write.mockRestore()
    await record()
    expect(await unappliedOf(deal)).toBe('5000')
    expect((await returned(deal)).toSorted()).toEqual([2_000, 3_000])
  })

  it('is not shown as under way because of money that was kept to be returned before the service ended', async () => {
    const deal = await begun()
    await transfer(deal, TOTAL)
    await bankSays(deal, 'settle')
    const write = jest.spyOn(escrow.service.app.get(DealsRepository), 'changeByIntent')
    write.mockRejectedValue(new Error('the service ends'))
    await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: 2_000 })
    const intent = await escrow.service.app.get(StripeProvider).getIntent(deal.intent)
    await expect(escrow.service.app.get(FundsService).recordCancelled(intent)).rejects.toThrow('the service ends')
    write.mockRestore()
    const seen = await escrow.service.app.get(DealQueries).get(deal.id, deal.buyer.id)
    expect(seen).toMatchObject({ status: 'paid', paymentProcessing: false })
    await tell()
    expect(await returned(deal)).toEqual([2_000])
  })

  it.each(['an event', 'the answer of the provider'])(
    'returns a part of a payment that was begun while its deal was cancelled, after %s about it',
    async heard => {
      const deal = await begun()
      await escrow.service.app.get(DealsService).cancel(deal.id, { userId: deal.buyer.id, key: null })
      await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: 4_000 })
      if (heard === 'an event') await tell({ only: 'payment_intent.partially_funded' })
      else {
        const intent = await escrow.service.app.get(StripeProvider).getIntent(deal.intent)
        await escrow.service.app.get(FundsService).recordUnfinished(intent)
      }
      expect(escrow.dependencies.intentStatus(deal.intent)).toBe('canceled')
      expect(await returned(deal)).toEqual([4_000])
      expect(await unappliedOf(deal)).toBe('0')
    },
  )

  it('does not return money that has arrived and that its payment takes a moment later', async () => {
    const deal = await begun()
    await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: TOTAL })
    const { state } = escrow.sandbox.context
    const applied = state.cash
      .newestFirst()
      .find(({ type, intentId }) => type === 'applied_to_payment' && intentId === deal.intent)!
    state.cash.put({ ...applied, netAmount: 0 })
    await tell({ only: 'customer_cash_balance_transaction.created' })
    state.cash.put(applied)
    expect(await unappliedOf(deal)).toBe('0')
  })

  it('takes the provider’s events in any order', async () => {
    const final = await begun()
    await escrow.dependencies.control(`/payments/${final.intent}/transfer`, { amount: 1_000 })
    await escrow.dependencies.control(`/payments/${final.intent}/transfer`, { amount: TOTAL })
    await escrow.dependencies.control(`/payments/${final.intent}/settle`)
    await tell({ reverse: true })
    expect(await escrow.status(final.id)).toBe('paid')
    expect(await returned(final)).toEqual([1_000])
    const back = await begun()
    await escrow.dependencies.control(`/payments/${back.intent}/transfer`, { amount: TOTAL })
    await escrow.dependencies.control(`/payments/${back.intent}/decline`)
    await tell({ reverse: true })
    expect(await escrow.status(back.id)).toBe('pending')
    expect(await shown(back)).toMatchObject({ status: 'failed' })
  })

  it('waits for a payment again when the provider cancels one whose money had arrived', async () => {
    const deal = await begun()
    await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: TOTAL })
    const [arrived] = eventsOf(deal, 'payment_intent.processing')
    await escrow.webhook(arrived!)
    expect(await escrow.status(deal.id)).toBe('secured')
    const object = { ...arrived!.data.object, status: 'canceled' }
    await escrow.webhook({ ...arrived!, id: `evt_${newId()}`, type: 'payment_intent.canceled', data: { object } })
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await begin(deal, 'card')).toMatchObject({ status: 201 })
  })

  it('waits for a payment again when two messages come at once: that the money has arrived, and that it is gone', async () => {
    const deal = await begun()
    await escrow.dependencies.control(`/payments/${deal.intent}/transfer`, { amount: TOTAL })
    await escrow.dependencies.control(`/payments/${deal.intent}/decline`)
    const [arrived, gone] = eventsOf(deal, 'payment_intent.processing', 'payment_intent.payment_failed')
    const payments = escrow.service.app.get(PaymentsRepository)
    const markReturned = payments.markReturned.bind(payments)
    jest.spyOn(payments, 'markReturned').mockImplementationOnce(async (...given) => {
      await escrow.webhook(arrived!)
      expect(await escrow.status(deal.id)).toBe('secured')
      return markReturned(...given)
    })
    await escrow.webhook(gone!)
    jest.restoreAllMocks()
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await shown(deal)).toMatchObject({ status: 'failed' })
    expect(await begin(deal)).toMatchObject({ status: 201 })
  })

  it('gives bank details only to the buyer', async () => {
    const deal = await escrow.open()
    expect(await begin({ ...deal, buyer: deal.seller })).toMatchObject({ status: 403 })
  })
})
