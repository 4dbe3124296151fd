import { setTimeout as sleep } from 'node:timers/promises'
import type { DealStatus } from '@holdfast/kernel/deals'
import { eventually } from '@holdfast/testing/eventually'
import { chargeback, succeeded } from '@holdfast/testing/stripe-events'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { RunningEscrow } from '../../test/running-escrow.js'

/** The timers sweep every few seconds, and the machine may be busy. */
const WITHIN_MS = 50_000
const RACES = 10

/** A deal, the status to which its clock leads, and what the clock does to its money. */
interface ClockCase {
  readonly deal: DealUnderTest
  readonly end: DealStatus
  readonly money: readonly string[]
}

describe('deadlines', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterEach(async () => expect(await escrow.violations()).toEqual([]))
  afterAll(() => escrow.stop())

  const fireTimers = (deal: DealUnderTest) => escrow.fireTimers(deal.id)
  const releasesAndRefunds = async (id: number) =>
    (await escrow.entries(id)).filter(kind => kind === 'release' || kind === 'refund')
  const shipped = async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: `T${deal.id}` })
    return deal
  }

  /** A deal for each kind of clock. */
  const withEveryClock = async (): Promise<ClockCase[]> => [
    { deal: await escrow.open(), end: 'cancelled', money: [] },
    { deal: await escrow.paidAtProvider(), end: 'cancelled', money: ['refund'] },
    { deal: await shipped(), end: 'disputed', money: [] },
    { deal: await escrow.inInspection(), end: 'completed', money: ['release'] },
  ]
  const expectEnded = async (cases: readonly ClockCase[]) => {
    for (const { deal, end } of cases) await eventually(async () => (await escrow.status(deal.id)) === end, WITHIN_MS)
    for (const { deal, money } of cases) {
      expect(await releasesAndRefunds(deal.id)).toEqual(money)
      expect(await escrow.count('escrow.refund', deal.id)).toBe(money.filter(kind => kind === 'refund').length)
    }
  }

  it('that pass while the service is down have their effect once, as soon as it is up', async () => {
    const cases = (await Promise.all([1, 2, 3, 4, 5].map(withEveryClock))).flat()
    await escrow.stopService()
    for (const { deal } of cases) await escrow.elapse(deal.id, 60)
    await escrow.startService()
    const replica = await escrow.startReplica()
    try {
      await expectEnded(cases)
    } finally {
      await replica.close()
    }
  })

  it('have their effect although the queue loses every job', async () => {
    const cases = await withEveryClock()
    for (const { deal } of cases)
      await escrow.database.admin.query(
        `UPDATE escrow.transaction SET due_at = now() + interval '2 seconds' WHERE id = $1`,
        [deal.id],
      )
    await wipeQueue(escrow)
    await sleep(1_000)
    await wipeQueue(escrow)
    await expectEnded(cases)
  })

  it('have their effect once when two replicas fire each of them twice at the same time', async () => {
    const cases = await withEveryClock()
    const replica = await escrow.startReplica()
    try {
      const all = [escrow.service, replica, escrow.service, replica]
      for (const { deal } of cases) await escrow.elapse(deal.id, 60)
      // A call that comes second is refused, because the deal or the payment at the provider has changed in the meantime.
      await Promise.allSettled(cases.flatMap(({ deal }) => all.map(service => escrow.fireTimers(deal.id, service))))
      await expectEnded(cases)
    } finally {
      await replica.close()
    }
  })

  it('are not undone by a command that comes later, which is refused', async () => {
    const [accepted, disputed, tracked] = [
      await escrow.inInspection(),
      await escrow.inInspection(),
      await escrow.paidAtProvider(),
    ]
    for (const deal of [accepted, disputed, tracked]) {
      await escrow.elapse(deal.id, 60)
      await fireTimers(deal)
    }
    const answers = [
      await escrow.act(accepted.id, accepted.buyer, 'accept'),
      await escrow.dispute(disputed.id, 'freeze', 1, disputed.buyer.id),
      await escrow.act(tracked.id, tracked.seller, 'tracking', { trackingNumber: `L${tracked.id}` }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
    await expectEnded([
      { deal: accepted, end: 'completed', money: ['release'] },
      { deal: disputed, end: 'completed', money: ['release'] },
      { deal: tracked, end: 'cancelled', money: ['refund'] },
    ])
  })

  it('leave what one of the two does, when a command comes at the same time', async () => {
    for (let race = 0; race < RACES; race++) {
      const [accepted, disputed, tracked] = [
        await escrow.inInspection(),
        await escrow.inInspection(),
        await escrow.paid(),
      ]
      for (const { id } of [accepted, disputed, tracked]) await escrow.elapse(id, 60)
      const [accept, freeze, track] = await Promise.all([
        escrow.act(accepted.id, accepted.buyer, 'accept'),
        escrow.dispute(disputed.id, 'freeze', race + 1, disputed.buyer.id),
        escrow.act(tracked.id, tracked.seller, 'tracking', { trackingNumber: `R${tracked.id}` }),
        ...[accepted, disputed, tracked].map(fireTimers),
      ])
      expect(await escrow.status(accepted.id)).toBe('completed')
      expect(await escrow.entries(accepted.id)).toEqual(['charge', 'release'])
      for (const { status } of [accept, freeze, track]) expect([200, 409]).toContain(status)
      expect(await escrow.status(disputed.id)).toBe(freeze.status === 200 ? 'disputed' : 'completed')
      expect(await escrow.status(tracked.id)).toBe(track.status === 200 ? 'shipped' : 'cancelled')
    }
  })

  it('of the seller to ship is not moved by their own dispute: the buyer is refunded, and the dispute has ended', async () => {
    const deal = await escrow.paidAtProvider()
    const dueAt = async () =>
      (await escrow.row<{ due_at: Date }>('SELECT due_at FROM escrow.transaction WHERE id = $1', [deal.id])).due_at
    const first = await dueAt()
    // On the sixth day, three times.
    for (const disputeId of [601, 602, 603]) {
      await escrow.dispute(deal.id, 'freeze', disputeId, deal.seller.id)
      expect(await dueAt()).toEqual(first)
      await escrow.dispute(deal.id, 'resume', disputeId)
      expect(await dueAt()).toEqual(first)
    }
    await escrow.dispute(deal.id, 'freeze', 604, deal.seller.id)
    await escrow.elapse(deal.id, 60)
    await fireTimers(deal)
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await releasesAndRefunds(deal.id)).toEqual(['refund'])
    // The call that freezes the deal comes a second time.
    expect(await escrow.dispute(deal.id, 'freeze', 604, deal.seller.id)).toMatchObject({ status: 409 })
  })

  it('of an inspection or a parcel have no effect during the dispute of a party, and are due at once when it is withdrawn late', async () => {
    const [inspected, sent] = [await escrow.inInspection(), await shipped()]
    for (const { id, buyer } of [inspected, sent]) {
      await escrow.dispute(id, 'freeze', 700 + id, buyer.id)
      await escrow.database.admin.query(
        `UPDATE escrow.transaction SET frozen = jsonb_set(frozen, '{endsAt}', to_jsonb('2026-01-01T00:00:00.000Z'::text)) WHERE id = $1`,
        [id],
      )
    }
    for (const deal of [inspected, sent]) {
      await fireTimers(deal)
      expect(await escrow.status(deal.id)).toBe('disputed')
      await escrow.dispute(deal.id, 'resume', 700 + deal.id)
    }
    await expectEnded([
      { deal: inspected, end: 'completed', money: ['release'] },
      { deal: sent, end: 'disputed', money: [] },
    ])
    expect(
      await escrow.row('SELECT frozen ->> $2 AS overdue FROM escrow.transaction WHERE id = $1', [sent.id, 'overdue']),
    ).toEqual({ overdue: 'true' })
  })

  it('of the seller to ship does not run while a bank decides, also in their own dispute', async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.dispute(deal.id, 'freeze', 801, deal.seller.id)
    await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'created'))
    await escrow.elapse(deal.id, 60)
    await fireTimers(deal)
    expect(await escrow.status(deal.id)).toBe('disputed')
    await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'won'))
    await escrow.elapse(deal.id, 60)
    await fireTimers(deal)
    expect(await escrow.status(deal.id)).toBe('cancelled')
    expect(await releasesAndRefunds(deal.id)).toEqual(['refund'])
  })

  describe('of payment windows', () => {
    const withOpenPayment = async () => {
      const deal = await escrow.open()
      const intent = await escrow.beginPayment(deal)
      return { ...deal, intent }
    }

    it('end with a paid deal or with a cancelled payment when the buyer pays at the last moment', async () => {
      for (let race = 0; race < RACES; race++) {
        const deal = await withOpenPayment()
        await escrow.elapse(deal.id, 2)
        const pay = async () => {
          const { http } = await escrow.dependencies.confirmCard(deal.intent)
          if (http === 200) await escrow.webhook(succeeded(deal.intent, deal.totalMinor))
          return http
        }
        const [http] = await Promise.all([pay(), fireTimers(deal)])
        expect(await escrow.status(deal.id)).toBe(http === 200 ? 'paid' : 'cancelled')
        expect(await escrow.entries(deal.id)).toEqual(http === 200 ? ['charge'] : [])
        expect(escrow.dependencies.intentStatus(deal.intent)).toBe(http === 200 ? 'succeeded' : 'canceled')
      }
    })

    it('wait for a payment that is being processed, and then need no webhook to learn how it ended', async () => {
      await escrow.dependencies.control('/settings', { cards: 'by_hand' })
      try {
        const [arrives, arrivesWithoutEvent, fails] = [
          await withOpenPayment(),
          await withOpenPayment(),
          await withOpenPayment(),
        ]
        for (const deal of [arrives, arrivesWithoutEvent, fails]) {
          expect(await escrow.dependencies.confirmCard(deal.intent)).toMatchObject({ status: 'processing' })
          await escrow.elapse(deal.id, 2)
          await fireTimers(deal)
          await fireTimers(deal)
          expect(await escrow.status(deal.id)).toBe('pending')
          const cancelled = await escrow.cancel(deal.id, deal.buyer)
          expect(cancelled).toMatchObject({ status: 409, body: { code: 'PAYMENT_IN_PROGRESS' } })
        }
        await escrow.dependencies.control(`/payments/${arrives.intent}/settle`)
        await escrow.webhook(succeeded(arrives.intent, arrives.totalMinor))
        await escrow.dependencies.control(`/payments/${arrivesWithoutEvent.intent}/settle`)
        await escrow.dependencies.control(`/payments/${fails.intent}/decline`)
        for (const deal of [arrives, arrivesWithoutEvent, fails]) await fireTimers(deal)
        expect(await Promise.all([arrives, arrivesWithoutEvent, fails].map(deal => escrow.status(deal.id)))).toEqual([
          'paid',
          'paid',
          'cancelled',
        ])
        expect(escrow.dependencies.intentStatus(fails.intent)).toBe('canceled')
      } finally {
        await escrow.dependencies.control('/settings', { cards: 'at_once' })
      }
    })

    it('change nothing while the provider cannot be reached', async () => {
      const deal = await withOpenPayment()
      // Before the window ends, and for more attempts than the SDK makes: the service's own timers ask the provider, too.
      await escrow.dependencies.control('/faults', { kind: 'refuse', path: '/cancel', times: 1_000 })
      await escrow.elapse(deal.id, 2)
      await expect(fireTimers(deal)).rejects.toThrow('PAYMENT_PROVIDER_UNAVAILABLE')
      expect(await escrow.status(deal.id)).toBe('pending')
      await escrow.dependencies.control('/faults', {}, 'DELETE')
      await fireTimers(deal)
      expect(await escrow.status(deal.id)).toBe('cancelled')
    })
  })
})

/** Empties every table of the queue. Its jobs are only reminders: the deadlines are in the rows of the deals. */
async function wipeQueue(escrow: RunningEscrow): Promise<void> {
  const { tables } = await escrow.row<{ tables: string | null }>(
    `SELECT string_agg(format('timers.%I', relname), ', ') AS tables FROM pg_class
     WHERE relnamespace = 'timers'::regnamespace AND relkind = 'r' AND relname LIKE '%job%'`,
  )
  if (!tables) throw new Error('the queue has no tables')
  await escrow.database.admin.query(`TRUNCATE ${tables} CASCADE`)
}
