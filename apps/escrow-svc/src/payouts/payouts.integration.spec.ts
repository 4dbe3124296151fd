import { userUpdated } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import type { PayoutBlock } from '@holdfast/kernel/payouts'
import { finishPayout } from '@holdfast/sandbox/connect/payouts'
import { NO_CALL } from '@holdfast/sandbox/context'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { type ChargebackStep, chargeback } from '@holdfast/testing/stripe-events'
import { raceInBatches } from '../../test/races.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { CLOSED_BANK, GOOD_BANK, SellerPayouts } from '../../test/seller-payouts.js'
import { ConnectProvider } from './connect.provider.js'
import { PayoutsService } from './payouts.service.js'

const ACCOUNT_FAULT = { kind: 'error', method: 'GET', path: '/v1/accounts', times: 100 }
/** A seller's net of 100.00: the price less their fee of 1.5 %. */
const NET = '98.50'

describe('a payout', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const entriesOf = async (id: string) =>
    (
      await escrow.database.admin.query<{ kind: string }>(
        `SELECT DISTINCT e.kind, e.at, e.id FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
         WHERE $1 IN (p.debit, p.credit) ORDER BY e.at, e.id`,
        [`payout_in_transit:${id}`],
      )
    ).rows.map(({ kind }) => kind)
  /** Each event once: the relay writes an event to the log before it deletes the event from the outbox. */
  const eventsOf = async (id: string) =>
    (
      await escrow.database.admin.query<{ type: string }>(
        `SELECT type FROM (SELECT event_id, type, key, id AS n, 1 AS part FROM escrow.outbox
           WHERE event_id NOT IN (SELECT id FROM events.log)
           UNION ALL SELECT id, type, key, position, 0 FROM events.log) e WHERE key = $1 ORDER BY part, n`,
        [id],
      )
    ).rows.map(({ type }) => type)

  it('brings the whole balance to the bank, names its deals, and is shown as paid only when the bank has it', async () => {
    const seller = await payouts.seller()
    const first = await payouts.sell(seller)
    const second = await payouts.sell(seller, '33.33')
    expect((await payouts.overview(seller)).body).toMatchObject({ available: '131.33', blockedBy: null, paid: '0.00' })

    const { status, body: payout } = await payouts.request(seller)
    expect(status).toBe(201)
    expect(payout).toMatchObject({ amount: '131.33', status: 'scheduled', bankLabel: 'Test Bank ending in 6789' })
    expect(payout.deals).toEqual([
      { transactionId: second.id, title: 'Camera', amount: '32.83' },
      { transactionId: first.id, title: 'Camera', amount: NET },
    ])
    await payouts.reach(payout.id, 'in_transit')
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: '0.00',
      inTransit: '131.33',
      blockedBy: 'nothing_available',
      payouts: [{ id: payout.id, status: 'in_transit' }],
    })
    await payouts.atBank(payout.id, 'settle')
    await payouts.sendEvents('payout.')
    expect((await payouts.overview(seller)).body).toMatchObject({
      inTransit: '0.00',
      paid: '131.33',
      payouts: [{ id: payout.id, status: 'paid', arrivedAt: expect.any(String) }],
    })
    expect(await entriesOf(payout.id)).toEqual(['payout_sent', 'payout_paid'])
    await eventually(async () => (await eventsOf(payout.id)).length === 2)
    expect(await eventsOf(payout.id)).toEqual(['escrow.payout.sent.v1', 'escrow.payout.paid.v1'])
    expect(await escrow.violations()).toEqual([])
  })

  it('is made once when it is asked for many times at the same moment, at two replicas', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const replica = await escrow.startReplica()
    try {
      const other = replica.app.get(PayoutsService)
      const keys = Array.from({ length: 4 }, () => newId())
      const answers = await Promise.allSettled([
        ...keys.map(key => payouts.request(seller, key)),
        ...keys.map(() => other.request(seller.id, newId())),
        payouts.passDay(seller),
      ])
      expect(answers.filter(({ status }) => status === 'fulfilled')).not.toHaveLength(0)
    } finally {
      await replica.close()
    }
    const { body } = await payouts.overview(seller)
    expect(body).toMatchObject({ available: '0.00', inTransit: NET })
    expect(body.payouts).toHaveLength(1)
    expect(await escrow.violations()).toEqual([])
  })

  it('asked for again with the same key is the same payout, and needs a key and a session', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const key = newId()
    const answers = await Promise.all([payouts.request(seller, key), payouts.request(seller, key)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await escrow.request('POST', '/api/payouts', { actor: seller })).toMatchObject({ status: 400 })
    expect(await payouts.request(null)).toMatchObject({ status: 401 })
    expect(await escrow.request('GET', '/api/payouts', { actor: null })).toMatchObject({ status: 401 })
  })

  describe('is refused, with the reason,', () => {
    const refused = async (seller: UserActor, blockedBy: string) => {
      expect((await payouts.overview(seller)).body).toMatchObject({ blockedBy, payouts: [] })
      expect(await payouts.request(seller)).toMatchObject({
        status: 409,
        body: { code: 'PAYOUT_NOT_POSSIBLE', details: { blockedBy } },
      })
    }

    it('to a seller whom Holdfast has not verified', async () => {
      const seller = userActor()
      await payouts.addBank(seller, GOOD_BANK)
      await payouts.sell(seller)
      await refused(seller, 'not_verified')
      await payouts.verify(seller)
      expect(await payouts.request(seller)).toMatchObject({ status: 201 })
    })

    it('to a seller without a payout account, and to one whose form is not filled in', async () => {
      const seller = userActor()
      await payouts.verify(seller)
      await payouts.sell(seller)
      await refused(seller, 'no_account')
      await escrow.request('PUT', '/api/payout-account', { actor: seller })
      expect((await payouts.account(seller)).body).toEqual({ status: 'onboarding', bankLabel: null, reason: null })
      await refused(seller, 'no_account')
    })

    it('while the provider has stopped the account, also when its event comes late', async () => {
      const seller = await payouts.seller()
      await payouts.sell(seller)
      const { provider } = await escrow.row<{ provider: string }>(
        'SELECT provider_account_id AS provider FROM escrow.payout_account WHERE user_id = $1',
        [seller.id],
      )
      await escrow.dependencies.control(`/accounts/${provider}/stop`)
      // The events before were about a ready account. The provider is asked, so their order does not count.
      await payouts.sendEvents('account.updated', { reversed: true })
      await refused(seller, 'account_restricted')
      expect((await payouts.account(seller)).body).toMatchObject({ status: 'restricted', reason: expect.any(String) })
      await escrow.dependencies.control(`/accounts/${provider}/resume`)
      expect((await payouts.account(seller)).body).toMatchObject({ status: 'restricted' })
      await payouts.sendEvents('account.updated')
      expect(await payouts.request(seller)).toMatchObject({ status: 201 })
    })

    it('when there is nothing to pay out', async () => {
      await refused(await payouts.seller(), 'nothing_available')
    })
  })

  it('that the bank returns is on the balance again, with the reason, and is paid to the next bank account', async () => {
    const seller = await payouts.seller(CLOSED_BANK)
    const deal = await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'in_transit')
    const { provider_payout_id: provider } = await payouts.row(payout.id)
    finishPayout(escrow.sandbox.context, NO_CALL, escrow.sandbox.context.state.payouts.get(provider)!)
    await payouts.sendEvents('payout.')
    await payouts.reach(payout.id, 'returned')
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: NET,
      inTransit: '0.00',
      blockedBy: 'account_restricted',
      payouts: [{ status: 'returned', failure: 'The bank account has been closed.', arrivedAt: null }],
    })
    expect(await entriesOf(payout.id)).toEqual(['payout_sent', 'payout_returned'])
    expect(reversedOf(payout.id)).toEqual([9850])

    await payouts.addBank(seller, GOOD_BANK)
    const { body: next } = await payouts.request(seller)
    expect(next.deals).toEqual([{ transactionId: deal.id, title: 'Camera', amount: NET }])
    expect(await escrow.violations()).toEqual([])
  })

  it('that the bank returns after it had been paid is on the balance again, whatever is repeated afterwards', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'in_transit')
    await payouts.atBank(payout.id, 'settle')
    await payouts.sendEvents('payout.')
    await payouts.atBank(payout.id, 'fail', 'account_frozen')
    await payouts.sendEvents('payout.')
    await Promise.all([payouts.reach(payout.id, 'returned'), payouts.reach(payout.id, 'returned')])
    await payouts.sendEvents('payout.', { reversed: true })
    await payouts.send(payout.id)
    expect((await payouts.overview(seller)).body).toMatchObject({ available: NET, paid: '0.00' })
    expect(await entriesOf(payout.id)).toEqual(['payout_sent', 'payout_paid', 'payout_returned'])
    expect(reversedOf(payout.id)).toEqual([9850])
    expect(await escrow.violations()).toEqual([])
  })

  it('that the bank returns is on the balance again although the provider has stored an error under the key of its way back', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'in_transit')
    await payouts.atBank(payout.id, 'fail', 'account_closed')
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/transfers' })
    await payouts.sendEvents('payout.')
    await payouts.reach(payout.id, 'returned')
    expect(reversedOf(payout.id)).toEqual([9850])
    expect(await escrow.violations()).toEqual([])
  })

  it('reaches its end when no event of the provider comes, and when they come in reverse order', async () => {
    const seller = await payouts.seller()
    for (const withEvents of [false, true]) {
      await payouts.sell(seller)
      const { body: payout } = await payouts.request(seller)
      await payouts.reach(payout.id, 'in_transit')
      await payouts.atBank(payout.id, 'settle')
      await (withEvents ? payouts.sendEvents('payout.', { reversed: true }) : payouts.reach(payout.id, 'paid'))
      expect((await payouts.overview(seller)).body.payouts[0]).toMatchObject({ id: payout.id, status: 'paid' })
      // It is asked about once more, and then never again.
      await payouts.finish(payout.id)
    }
    expect(await escrow.violations()).toEqual([])
  })

  it.each([
    ['lose_answer', '/v1/transfers'],
    ['error_after', '/v1/transfers'],
    ['lose_answer', '/v1/payouts'],
    ['error_after', '/v1/payouts'],
    ['error', '/v1/transfers'],
  ])('is sent once when the provider answers with %s on %s', async (kind, path) => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    await escrow.dependencies.control('/faults', { kind, method: 'POST', path, times: 3 })
    await payouts.send(payout.id)
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    // The provider has forgotten the keys: only its lists can say what was done.
    escrow.sandbox.context.state.idempotency.clear()
    await payouts.reach(payout.id, 'in_transit')
    expect(transfersOf(payout.id)).toHaveLength(1)
    expect(
      [...escrow.sandbox.context.state.payouts.oldestFirst()].filter(each => each.metadata.payout_id === payout.id),
    ).toHaveLength(1)
    expect(await escrow.violations()).toEqual([])
  })

  it('that the provider refuses is on the balance again at once, with what was transferred', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    const account = escrow.sandbox.context.state.accounts.newestFirst()[0]!
    await escrow.dependencies.control(`/accounts/${account.id}/stop`)
    await payouts.reach(payout.id, 'returned')
    // The provider's message about the account can come after its refusal.
    await eventually(async () => (await payouts.overview(seller)).body.blockedBy === 'account_restricted')
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: NET,
      payouts: [{ status: 'returned', failure: 'The payment provider did not take the payout.' }],
    })
    expect(reversedOf(payout.id)).toEqual([9850])
    expect(await escrow.violations()).toEqual([])
  })

  it.each([
    ['has closed', (account: string) => escrow.sandbox.context.state.accounts.delete(account)],
    ['does not answer about', () => escrow.dependencies.control('/faults', ACCOUNT_FAULT)],
  ])('into an account that the provider %s is on the balance again', async (what, happens) => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'in_transit')
    await payouts.atBank(payout.id, 'fail', 'account_closed')
    await payouts.sendEvents('payout.')
    await happens(escrow.sandbox.context.state.accounts.newestFirst()[0]!.id)
    await payouts.reach(payout.id, 'returned')
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    expect((await payouts.overview(seller)).body).toMatchObject({ available: NET, payouts: [{ status: 'returned' }] })
    if (what === 'has closed') {
      expect((await payouts.overview(seller)).body).toMatchObject({ blockedBy: 'account_restricted' })
      // The seller gets another account.
      await payouts.addBank(seller, GOOD_BANK)
      expect(await payouts.request(seller)).toMatchObject({ status: 201, body: { amount: NET } })
    }
    expect(await escrow.violations()).toEqual([])
  })

  it('into an account that was closed after the transfer is on the balance again', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const provider = escrow.service.app.get(ConnectProvider)
    const transfer = provider.transfer.bind(provider)
    const { id: account } = escrow.sandbox.context.state.accounts.newestFirst()[0]!
    const transferred = jest.spyOn(provider, 'transfer').mockImplementationOnce(async step => {
      const id = await transfer(step)
      escrow.sandbox.context.state.accounts.delete(account)
      return id
    })
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'returned')
    transferred.mockRestore()
    expect((await payouts.overview(seller)).body).toMatchObject({ available: NET, blockedBy: 'account_restricted' })
    expect(reversedOf(payout.id)).toEqual([9850])
    expect(await escrow.violations()).toEqual([])
  })

  it('that has not left our balance is not sent after the verification was taken back', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/transfers', times: 1 })
    const { body: payout } = await payouts.request(seller)
    await payouts.send(payout.id)
    expect((await payouts.row(payout.id)).status).toBe('scheduled')
    await payouts.verify(seller, false)
    await payouts.reach(payout.id, 'returned')
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: NET,
      blockedBy: 'not_verified',
      payouts: [{ status: 'returned', failure: 'Holdfast must verify your identity again first.' }],
    })
    expect(transfersOf(payout.id)).toEqual([])
    expect(await escrow.violations()).toEqual([])
  })

  it('is dated by the database, although the clock of the replica is days behind', async () => {
    const seller = await payouts.seller(CLOSED_BANK)
    await payouts.sell(seller)
    const clock = jest.spyOn(escrow.service.app.get(Clock), 'now')
    clock.mockImplementation(() => new Date(Date.now() - 3 * 86_400_000))
    // Signed calls and webhooks would be refused by this clock. The services are called as the timers do.
    const payout = await escrow.service.app.get(PayoutsService).request(seller.id, newId())
    try {
      await payouts.reach(payout.id, 'in_transit')
      const { provider_payout_id: provider } = await payouts.row(payout.id)
      finishPayout(escrow.sandbox.context, NO_CALL, escrow.sandbox.context.state.payouts.get(provider)!)
      await payouts.reach(payout.id, 'returned')
    } finally {
      clock.mockRestore()
    }
    const times = await escrow.row<{ oldest: Date }>(
      `SELECT least(p.transferred_at, p.reversed_at, p.created_at, p.failed_at, p.updated_at, min(e.at)) AS oldest
         FROM escrow.payout p JOIN escrow.posting s ON 'payout_in_transit:' || p.id IN (s.debit, s.credit)
         JOIN escrow.journal_entry e ON e.id = s.entry_id WHERE p.id = $1 GROUP BY p.id`,
      [payout.id],
    )
    expect(Date.now() - times.oldest.getTime()).toBeLessThan(3_600_000)
  })

  it('waits while our balance at the provider is too low', async () => {
    const seller = await payouts.seller()
    const deal = await escrow.paid({ inspectionDays: 0, price: '9000.00' })
    await payouts.verify(deal.seller)
    await payouts.addBank(deal.seller, GOOD_BANK)
    await escrow.act(deal.id, deal.buyer, 'confirm-delivery')
    const { body: payout } = await payouts.request(deal.seller)
    await payouts.send(payout.id)
    expect((await payouts.overview(deal.seller)).body).toMatchObject({ payouts: [{ status: 'scheduled' }] })
    await payouts.sell(seller, '20000.00')
    await payouts.reach(payout.id, 'in_transit')
    expect(transfersOf(payout.id)).toHaveLength(1)
  })

  it('names the bank into which it goes, also when the seller has changed it before it was sent', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/transfers', times: 100 })
    const { body: payout } = await payouts.request(seller)
    await payouts.send(payout.id)
    await payouts.addBank(seller, CLOSED_BANK)
    const label = async () => (await payouts.overview(seller)).body.payouts[0]!.bankLabel
    expect(await label()).toBe('Test Bank ending in 1113')
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    await payouts.reach(payout.id, 'in_transit')
    // The bank of what is on its way does not change any more.
    await payouts.addBank(seller, GOOD_BANK)
    expect(await label()).toBe('Test Bank ending in 1113')
  })

  it('after a lost chargeback is made only when later sales have repaid it, and names both', async () => {
    const seller = await payouts.seller()
    const lost = await payouts.sell(seller)
    const { body: first } = await payouts.request(seller)
    await payouts.reach(first.id, 'in_transit')
    await escrow.dependencies.control(`/payments/${lost.intent}/dispute`)
    const dispute = escrow.sandbox.context.state.disputes.newestFirst()[0]!
    await escrow.dependencies.control(`/disputes/${dispute.id}/close`, { outcome: 'lost' })
    await escrow.sendProviderEvents(lost.intent, 'charge.dispute.')
    expect((await payouts.overview(seller)).body).toMatchObject({ available: `-${NET}`, blockedBy: 'negative_balance' })
    expect(await payouts.request(seller)).toMatchObject({
      status: 409,
      body: { details: { blockedBy: 'negative_balance' } },
    })

    const repaying = await payouts.sell(seller, '300.00')
    const { body: next } = await payouts.request(seller)
    expect(next).toMatchObject({
      amount: '197.00',
      deals: [
        { transactionId: repaying.id, amount: '295.50' },
        { transactionId: lost.id, amount: `-${NET}` },
      ],
    })
    expect(await escrow.violations()).toEqual([])
  })

  it.each([
    ['is opened', 'created', { sent: ['0.00', 'nothing_available'], kept: ['0.00', 'bank_decides'] }],
    ['is lost', 'lost', { sent: [`-${NET}`, 'negative_balance'], kept: ['0.00', 'nothing_available'] }],
  ] as const)(
    'and a chargeback that %s meanwhile, at two replicas, leave books that add up, on 20 deals',
    async (_, step, balances) => {
      const ends = new Set<string>()
      const replica = await escrow.startReplica()
      await raceInBatches(20, async () => {
        const seller = await payouts.seller()
        const deal = await payouts.sell(seller)
        const made = async () => (await payouts.overview(seller)).body.payouts
        const payOut = async () => {
          const other = replica.app.get(PayoutsService).request(seller.id, newId())
          await Promise.allSettled([payouts.request(seller), payouts.passDay(seller), other])
          await Promise.all((await made()).map(({ id }) => decided(id)))
        }
        return async lead => {
          await Promise.all([
            lead.one(payOut),
            lead.other(() => escrow.webhook(chargeback(deal.intent, deal.totalMinor, step))),
          ])
          const [payout, ...more] = await made()
          expect(more).toEqual([])
          const end = payout && payout.status !== 'returned' ? 'sent' : 'kept'
          const [available, blockedBy] = balances[end]
          expect((await payouts.overview(seller)).body).toMatchObject({ available, blockedBy })
          // A transfer that a slow replica makes afterwards is reversed.
          if (payout) await eventually(() => notReversed(payout.id).length === (end === 'sent' ? 1 : 0))
          ends.add(end)
        }
      })
      await replica.close()
      // The chargeback came first in some races, and the payout in others.
      expect(ends).toEqual(new Set(['sent', 'kept']))
      expect(await escrow.violations()).toEqual([])
    },
  )

  describe('while a bank decides about a chargeback', () => {
    const tell = async (deal: { intent: string; totalMinor: number }, step: ChargebackStep, more = {}) =>
      expect(await escrow.webhook(chargeback(deal.intent, deal.totalMinor, step, more))).toMatchObject({ status: 200 })
    const shows = async (seller: UserActor, available: string, blockedBy: PayoutBlock | null) =>
      expect((await payouts.overview(seller)).body).toMatchObject({ available, blockedBy })
    /** A payout that the provider does not take yet, with its seller and its sale. */
    const waiting = async () => {
      const seller = await payouts.seller()
      const deal = await payouts.sell(seller)
      await escrow.dependencies.control('/faults', {
        ...{ kind: 'error', method: 'POST', path: '/v1/transfers', times: 100 },
      })
      const { body: payout } = await payouts.request(seller)
      await payouts.send(payout.id)
      expect((await payouts.row(payout.id)).status).toBe('scheduled')
      return { seller, deal, payout }
    }
    const providerWorks = () => escrow.dependencies.control('/faults', {}, 'DELETE')

    it('takes the rest of the balance, and after the bank has decided for the seller also what waited, by itself', async () => {
      const seller = await payouts.seller()
      const [disputed, other] = [await payouts.sell(seller), await payouts.sell(seller, '200.00')]
      await tell(disputed, 'created')
      await shows(seller, '197.00', null)
      const { body: rest } = await payouts.request(seller)
      expect(rest).toMatchObject({ amount: '197.00', deals: [{ transactionId: other.id, amount: '197.00' }] })
      await shows(seller, '0.00', 'bank_decides')
      expect(await payouts.request(seller)).toMatchObject({
        status: 409,
        body: { code: 'PAYOUT_NOT_POSSIBLE', details: { blockedBy: 'bank_decides' } },
      })
      await payouts.passDay(seller)
      expect((await payouts.overview(seller)).body.payouts).toHaveLength(1)

      await tell(disputed, 'won')
      await shows(seller, NET, null)
      await payouts.passDay(seller)
      const [waited] = (await payouts.overview(seller)).body.payouts
      expect(waited).toMatchObject({ amount: NET, deals: [{ transactionId: disputed.id, amount: NET }] })
      expect(await escrow.violations()).toEqual([])
    })

    it.each([
      ['won', NET, null],
      ['lost', '0.00', 'nothing_available'],
    ] as const)(
      'about a sale that was paid out, leaves as much of later sales, until it is %s',
      async (end, left, block) => {
        const seller = await payouts.seller()
        const disputed = await payouts.sell(seller)
        const { body: first } = await payouts.request(seller)
        await payouts.reach(first.id, 'in_transit')
        await tell(disputed, 'created')
        await shows(seller, '0.00', 'nothing_available')
        const later = await payouts.sell(seller, '300.00')
        const { body: next } = await payouts.request(seller)
        expect(next).toMatchObject({
          amount: '197.00',
          deals: [
            { transactionId: later.id, amount: '295.50' },
            { transactionId: disputed.id, amount: `-${NET}` },
          ],
        })
        await tell(disputed, end)
        await shows(seller, left, block)
        const last = await payouts.sell(seller)
        const { body } = await payouts.request(seller)
        const own = { transactionId: last.id, amount: NET }
        expect(body.deals).toMatchObject(end === 'won' ? [own, { transactionId: disputed.id, amount: NET }] : [own])
        expect(await escrow.violations()).toEqual([])
      },
    )

    it.each([
      ['won', NET, null],
      ['lost', '0.00', 'nothing_available'],
    ] as const)(
      'that began before its transfer, goes back to the balance and is not sent; then it is %s',
      async (end, left, block) => {
        const { seller, deal, payout } = await waiting()
        await tell(deal, 'created')
        await tell(deal, 'created')
        await providerWorks()
        await payouts.reach(payout.id, 'returned')
        expect((await payouts.overview(seller)).body).toMatchObject({
          ...{ available: '0.00', inTransit: '0.00', blockedBy: 'bank_decides' },
          payouts: [
            {
              failure: 'It was not sent, because the money is needed for a chargeback or a correction of your balance.',
            },
          ],
        })
        expect(transfersOf(payout.id)).toEqual([])
        await tell(deal, end)
        await shows(seller, left, block)
        expect(await payouts.request(seller)).toMatchObject({ status: end === 'won' ? 201 : 409 })
        expect(await escrow.violations()).toEqual([])
      },
    )

    it('that has begun and was lost before its transfer, is not sent either', async () => {
      const { seller, deal, payout } = await waiting()
      await tell(deal, 'lost')
      await providerWorks()
      await payouts.reach(payout.id, 'returned')
      await shows(seller, '0.00', 'nothing_available')
      expect(transfersOf(payout.id)).toEqual([])
      expect(await escrow.violations()).toEqual([])
    })

    it('is sent when the rest of the balance covers it, and the rest waits', async () => {
      const { seller, deal, payout } = await waiting()
      // First, since the payout's own timer may take its next step at any moment after the chargeback.
      await payouts.sell(seller)
      await tell(deal, 'created')
      await providerWorks()
      await payouts.reach(payout.id, 'in_transit')
      await shows(seller, '0.00', 'bank_decides')
      expect(await escrow.violations()).toEqual([])
    })

    it('that began after its transfer, goes on', async () => {
      const seller = await payouts.seller()
      const deal = await payouts.sell(seller)
      await escrow.dependencies.control('/faults', {
        ...{ kind: 'error', method: 'POST', path: '/v1/payouts', times: 100 },
      })
      const { body: payout } = await payouts.request(seller)
      await eventually(async () => {
        await payouts.send(payout.id)
        return transfersOf(payout.id).length === 1
      })
      await tell(deal, 'created')
      await providerWorks()
      await payouts.reach(payout.id, 'in_transit')
      expect(reversedOf(payout.id)).toEqual([0])
      await shows(seller, '0.00', 'nothing_available')
      expect(await escrow.violations()).toEqual([])
    })

    it('leaves as much as all of them may take, and no more than each sale has brought', async () => {
      const seller = await payouts.seller()
      const [first, second] = [await payouts.sell(seller), await payouts.sell(seller)]
      await payouts.sell(seller)
      const parts = (n: number) => ({ id: `du_part_${n}_${first.id}` })
      await tell({ ...first, totalMinor: 5_000 }, 'created', parts(1))
      await shows(seller, '245.50', null)
      await tell({ ...first, totalMinor: 5_700 }, 'created', parts(2))
      await shows(seller, '197.00', null)
      await tell(second, 'created', { status: 'warning_needs_response' })
      await shows(seller, NET, null)
      await tell({ ...first, totalMinor: 5_000 }, 'lost', parts(1))
      await shows(seller, NET, null)
      expect((await payouts.request(seller)).body).toMatchObject({ amount: NET })
      await tell({ ...first, totalMinor: 5_700 }, 'won', parts(2))
      await shows(seller, '48.50', null)
      await tell(second, 'updated', { status: 'warning_closed' })
      await shows(seller, '147.00', null)
      expect(await escrow.violations()).toEqual([])
    })

    it('in another currency leaves nothing: when it is lost, an operator decides', async () => {
      const seller = await payouts.seller()
      const deal = await payouts.sell(seller)
      await tell(deal, 'created', { currency: 'eur' })
      expect((await payouts.request(seller)).body).toMatchObject({ amount: NET })
      expect(await escrow.violations()).toEqual([])
    })
  })

  it('is made every day without asking, and the next one is shown', async () => {
    const seller = await payouts.seller()
    await payouts.verify(seller)
    await payouts.addBank(seller, GOOD_BANK)
    await payouts.sell(seller)
    const { body: before } = await payouts.overview(seller)
    expect(before).toMatchObject({ blockedBy: null, nextPayoutAt: expect.any(String), payouts: [] })
    await payouts.passDay(seller)
    const { body: after } = await payouts.overview(seller)
    expect(after.payouts).toHaveLength(1)
    expect(Date.parse(after.nextPayoutAt!)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    await payouts.passDay(seller)
    expect((await payouts.overview(seller)).body.payouts).toHaveLength(1)
  })

  it('is possible as soon as identity-svc says that the seller is verified, and not after it says otherwise', async () => {
    const seller = userActor()
    await payouts.addBank(seller, GOOD_BANK)
    const user = {
      ...{ id: seller.id, firstName: 'Sam', lastName: 'Seller', username: 'sam' },
      ...{ rating: null, profileImageUrl: null, takenOverAt: null },
    }
    const blockedAfter = async (isVerified: boolean, blockedBy: string, emailConfirmed = true) => {
      const event = newEvent(userUpdated, seller.id, { user: { ...user, isVerified, emailConfirmed } }, new Date())
      await publishAs('identity-svc', escrow.database, event)
      await eventually(async () => (await payouts.overview(seller)).body.blockedBy === blockedBy)
    }
    await blockedAfter(true, 'nothing_available')
    expect((await payouts.overview(seller)).body.nextPayoutAt).not.toBeNull()
    await blockedAfter(false, 'not_verified')
    expect((await payouts.overview(seller)).body.nextPayoutAt).toBeNull()
    await blockedAfter(true, 'email_not_confirmed', false)
    expect((await payouts.overview(seller)).body.nextPayoutAt).toBeNull()
    expect(await payouts.request(seller)).toMatchObject({
      status: 409,
      body: { code: 'PAYOUT_NOT_POSSIBLE', message: 'You have not confirmed your e-mail address yet.' },
    })
    await blockedAfter(false, 'not_verified', false)
    await blockedAfter(true, 'email_not_confirmed', false)
    await blockedAfter(true, 'nothing_available')
    expect((await payouts.overview(seller)).body.nextPayoutAt).not.toBeNull()
  })

  describe('of another account, or with another amount,', () => {
    it('is not taken for ours, and is shown to operators', async () => {
      const seller = await payouts.seller()
      await payouts.sell(seller)
      const { body: payout } = await payouts.request(seller)
      await payouts.reach(payout.id, 'in_transit')
      const { provider, account } = await escrow.row<{ provider: string; account: string }>(
        'SELECT provider_payout_id AS provider, provider_account_id AS account FROM escrow.payout WHERE id = $1',
        [payout.id],
      )
      const paid = (more: object, of = account) => ({
        ...{ id: `evt_${newId()}`, object: 'event', type: 'payout.paid', livemode: false, account: of },
        data: {
          object: {
            ...{ id: provider, object: 'payout', amount: 9850, currency: 'usd', status: 'paid', created: 1 },
            ...{ metadata: { payout_id: payout.id }, failure_code: null },
            ...more,
          },
        },
      })
      for (const event of [
        paid({ amount: 1 }),
        paid({ currency: 'eur' }),
        paid({}, 'acct_other'),
        paid({ id: 'po_other' }),
      ])
        expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
      expect((await payouts.overview(seller)).body).toMatchObject({ payouts: [{ status: 'in_transit' }] })
      expect(
        await escrow.row(
          `SELECT count(*)::int AS n FROM escrow.webhook_event WHERE NOT handled AND kind = 'payout.paid'`,
        ),
      ).toEqual({ n: 4 })
    })

    it('is answered and shown to operators, also when its metadata names no id of ours', async () => {
      const object = { id: 'po_by_hand', object: 'payout', amount: 100, currency: 'usd', status: 'paid', created: 1 }
      const event = {
        ...{ id: `evt_${newId()}`, object: 'event', type: 'payout.paid', livemode: false, account: 'acct_other' },
        data: { object: { ...object, metadata: { payout_id: 'paid by hand' }, failure_code: null } },
      }
      expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
      expect(
        await escrow.row('SELECT count(*)::int AS n FROM escrow.webhook_event WHERE NOT handled AND id = $1', [
          event.id,
        ]),
      ).toEqual({ n: 1 })
    })
  })

  describe('whose transfer is moved back', () => {
    const keptReversals = async () =>
      (
        await escrow.row<{ n: number }>(
          `SELECT count(*)::int AS n FROM escrow.webhook_event WHERE is_unfitting AND kind = 'transfer.reversed'`,
        )
      ).n
    const inTransit = async () => {
      const seller = await payouts.seller()
      await payouts.sell(seller)
      const { body } = await payouts.request(seller)
      await payouts.reach(body.id, 'in_transit')
      return { seller, id: body.id }
    }

    it('by somebody at the provider needs an operator, once for each part, and what is left comes back by itself', async () => {
      const [{ seller, id }, before] = [await inTransit(), await keptReversals()]
      const { transfer } = await escrow.row<{ transfer: string }>(
        'SELECT transfer_id AS transfer FROM escrow.payout WHERE id = $1',
        [id],
      )
      // The bank has not taken the payout, and we do not know it yet.
      await payouts.atBank(id, 'fail', 'account_closed')
      for (const amount of [500, 700]) await escrow.dependencies.control(`/transfers/${transfer}/reverse`, { amount })
      for (let times = 0; times < 2; times++) await payouts.sendEvents('transfer.reversed')
      expect(await keptReversals()).toBe(before + 2)
      expect((await payouts.overview(seller)).body).toMatchObject({ payouts: [{ status: 'in_transit' }] })
      await payouts.reach(id, 'returned')
      await payouts.sendEvents('transfer.reversed')
      expect(await keptReversals()).toBe(before + 2)
      expect((await payouts.overview(seller)).body).toMatchObject({ available: '98.50' })
      expect(await escrow.violations()).toEqual([])
    })

    it('by us, because the bank did not take it, needs nobody', async () => {
      const [{ id }, before] = [await inTransit(), await keptReversals()]
      await payouts.atBank(id, 'fail', 'account_closed')
      await payouts.reach(id, 'returned')
      await payouts.sendEvents('transfer.reversed')
      expect(await keptReversals()).toBe(before)
    })
  })

  it('that came back while a slow replica made its transfer is not sent by that replica', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const provider = escrow.service.app.get(ConnectProvider)
    const account = escrow.sandbox.context.state.accounts.newestFirst()[0]!
    const transfer = provider.transfer.bind(provider)
    const slow = jest.spyOn(provider, 'transfer').mockImplementationOnce(async step => {
      const transferId = await transfer(step)
      await escrow.dependencies.control(`/accounts/${account.id}/stop`)
      await payouts.reach(step.id, 'returned')
      return transferId
    })
    const payOut = jest.spyOn(provider, 'payOut')
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'returned')
    expect(slow.mock.calls.length).toBeGreaterThan(1)
    expect(payOut).toHaveBeenCalledTimes(1)
    expect(reversedOf(payout.id)).toEqual([9850])
    jest.restoreAllMocks()
    expect(await escrow.violations()).toEqual([])
  })

  describe('that came back because no transfer was found has its transfer reversed when the provider makes it afterwards', () => {
    /** A payout that comes back while a slow replica has its transfer made. @param after what happens to that replica then */
    const transferredLate = async (after: (transferId: string) => string) => {
      const seller = await payouts.seller()
      await payouts.sell(seller)
      const provider = escrow.service.app.get(ConnectProvider)
      const transfer = provider.transfer.bind(provider)
      jest.spyOn(provider, 'transfer').mockImplementationOnce(async step => {
        await payouts.verify(seller, false)
        await payouts.reach(step.id, 'returned')
        return after(await transfer(step))
      })
      const payOut = jest.spyOn(provider, 'payOut')
      const { body: payout } = await payouts.request(seller)
      await payouts.reach(payout.id, 'returned')
      await eventually(() => transfersOf(payout.id).length > 0)
      await payouts.finish(payout.id)
      await eventually(() => (reversedOf(payout.id)[0] ?? 0) > 0)
      expect(reversedOf(payout.id)).toEqual([9850])
      expect(payOut).not.toHaveBeenCalled()
      jest.restoreAllMocks()
      expect((await payouts.overview(seller)).body.available).toBe(NET)
      expect(await escrow.violations()).toEqual([])
      return escrow.row<{ transfer: string; reversed: Date }>(
        'SELECT transfer_id AS transfer, reversed_at AS reversed FROM escrow.payout WHERE id = $1',
        [payout.id],
      )
    }

    it('and both are in our books', async () => {
      const { transfer, reversed } = await transferredLate(id => id)
      expect(transfer).toMatch(/^tr_/)
      expect(reversed).not.toBeNull()
    })

    it('although the first call that reverses it fails', async () => {
      const reverse = jest.spyOn(escrow.service.app.get(ConnectProvider), 'reverse')
      await transferredLate(id => {
        reverse.mockRejectedValueOnce(new Error('no connection'))
        return id
      })
    })

    it('although the answer about it is lost', async () => {
      await transferredLate(() => {
        throw new Error('no connection')
      })
    })
  })

  it('that has arrived is not asked about for ever after its account is gone', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'in_transit')
    await payouts.atBank(payout.id, 'settle')
    await payouts.sendEvents('payout.')
    escrow.sandbox.context.state.accounts.delete(escrow.sandbox.context.state.accounts.newestFirst()[0]!.id)
    await payouts.finish(payout.id)
    expect(await escrow.row('SELECT status, unanswered_since FROM escrow.payout WHERE id = $1', [payout.id])).toEqual({
      status: 'paid',
      unanswered_since: null,
    })
  })

  it('is possible as soon as the form is filled in, although a replica whose clock is ahead has asked before', async () => {
    const seller = userActor()
    await escrow.request('PUT', '/api/payout-account', { actor: seller, body: {} })
    const account = escrow.sandbox.context.state.accounts.newestFirst()[0]!
    const bank = {
      id: `ba_${newId()}`,
      bankName: 'Test Bank',
      last4: '6789',
      instrument: 'pays',
      errored: false,
    } as const
    escrow.sandbox.context.state.accounts.put({ ...account, holder: 'Sam', bank })
    await escrow.row(
      `UPDATE escrow.payout_account SET asked_at = now() + interval '1 hour' WHERE user_id = $1 RETURNING 1`,
      [seller.id],
    )
    expect((await payouts.account(seller)).body.status).toBe('ready')
  })

  it('has its payout account shown as last known while the provider does not answer', async () => {
    const seller = userActor()
    await escrow.request('PUT', '/api/payout-account', { actor: seller, body: {} })
    await escrow.dependencies.control('/faults', { kind: 'delay', method: 'GET', path: '/v1/accounts', delayMs: 8_000 })
    const askedAt = Date.now()
    expect((await payouts.account(seller)).body).toEqual({ status: 'onboarding', bankLabel: null, reason: null })
    expect(Date.now() - askedAt).toBeLessThan(5_000)
    await escrow.dependencies.control('/faults', {}, 'DELETE')
  })

  /** Takes steps of a payout until it is sent or has come back. */
  const decided = (id: string) =>
    eventually(async () => {
      await payouts.send(id)
      const { status } = await payouts.row(id)
      return status === 'scheduled' ? null : status
    })
  const transfersOf = (id: string) =>
    [...escrow.sandbox.context.state.transfers.oldestFirst()].filter(each => each.transferGroup === id)
  const notReversed = (id: string) => transfersOf(id).filter(each => each.amountReversed === 0)
  const reversedOf = (id: string) => transfersOf(id).map(each => each.amountReversed)
})
