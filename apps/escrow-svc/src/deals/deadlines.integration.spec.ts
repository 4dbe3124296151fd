import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@holdfast/testing/eventually'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { succeeded } from '../../test/stripe-events.js'

/** Timers look every few seconds, and a machine may be busy. */
const PATIENCE_MS = 50_000
const RACES = 10

describe('deadlines under fire', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterEach(async () => expect(await escrow.imbalances()).toEqual([]))
  afterAll(() => escrow.stop())

  const pass = (deal: DealUnderTest) => escrow.pass(deal.id)
  const settled = async (id: number) =>
    (await escrow.entries(id)).filter(kind => kind === 'release' || kind === 'refund').length
  const shipped = async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: `T${deal.id}` })
    return deal
  }

  /** A deal in every state that a clock ends, with where the clock leads. */
  const ofEveryKind = async (): Promise<[DealUnderTest, string][]> => [
    [await escrow.open(), 'cancelled'],
    [await escrow.paidAtProvider(), 'cancelled'],
    [await shipped(), 'disputed'],
    [await escrow.inInspection(), 'completed'],
  ]
  const expectEnded = async (deals: readonly [DealUnderTest, string][]) => {
    for (const [{ id }, end] of deals) await eventually(async () => (await escrow.status(id)) === end, PATIENCE_MS)
    for (const [{ id }, end] of deals)
      expect(await settled(id)).toBe(end === 'completed' || (await escrow.count('escrow.refund', id)) > 0 ? 1 : 0)
  }

  it('that pass while the service is down all have their effect once it is up, each once', async () => {
    const deals = (await Promise.all([1, 2, 3, 4, 5].map(ofEveryKind))).flat()
    await escrow.stopService()
    for (const [{ id }] of deals) await escrow.elapse(id, 60)
    await escrow.startService()
    const replica = await escrow.startReplica()
    try {
      await expectEnded(deals)
    } finally {
      await replica.close()
    }
  })

  it('come although the queue forgets every alarm', async () => {
    const deals = await ofEveryKind()
    for (const [{ id }] of deals)
      await escrow.database.admin.query(
        `UPDATE escrow.transaction SET due_at = now() + interval '2 seconds' WHERE id = $1`,
        [id],
      )
    await wipeQueue(escrow)
    await sleep(1_000)
    await wipeQueue(escrow)
    await expectEnded(deals)
  })

  it('ring twice at two replicas at once, and are met once', async () => {
    const deals = await ofEveryKind()
    const replica = await escrow.startReplica()
    try {
      const all = [escrow.service, replica, escrow.service, replica]
      for (const [{ id }] of deals) await escrow.elapse(id, 60)
      // Whoever comes second finds another deal than it read, or waits for its turn with the provider.
      await Promise.allSettled(deals.flatMap(([deal]) => all.map(service => escrow.pass(deal.id, service))))
      await expectEnded(deals)
    } finally {
      await replica.close()
    }
  })

  it('leave a party who was first what they chose, and tell one who was second', async () => {
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
        ...[accepted, disputed, tracked].map(pass),
      ])
      expect(await escrow.status(accepted.id)).toBe('completed')
      expect(await escrow.entries(accepted.id)).toEqual(['charge', 'release'])
      expect([200, 409]).toContain(accept.status)
      expect(await escrow.status(disputed.id)).toBe(freeze.status === 200 ? 'disputed' : 'completed')
      expect(await escrow.status(tracked.id)).toBe(track.status === 200 ? 'shipped' : 'cancelled')
    }
  })

  describe('of a payment window', () => {
    const window = async () => {
      const deal = await escrow.open()
      const intent = await escrow.beginPayment(deal)
      return { ...deal, intent }
    }

    it('end in a paid deal or in a payment that can no longer be made, when the buyer pays at the last moment', async () => {
      for (let race = 0; race < RACES; race++) {
        const deal = await window()
        await escrow.elapse(deal.id, 2)
        const pay = async () => {
          const { http } = await escrow.surroundings.confirmCard(deal.intent)
          if (http === 200) await escrow.webhook(succeeded(deal.intent, deal.totalMinor))
          return http
        }
        const [http] = await Promise.all([pay(), pass(deal)])
        expect(await escrow.status(deal.id)).toBe(http === 200 ? 'paid' : 'cancelled')
        expect(await escrow.entries(deal.id)).toEqual(http === 200 ? ['charge'] : [])
        expect(escrow.surroundings.intentStatus(deal.intent)).toBe(http === 200 ? 'succeeded' : 'canceled')
      }
    })

    it('wait for a payment that is on its way, whichever way it ends, and for nobody’s message', async () => {
      await escrow.surroundings.control('/settings', { cards: 'by_hand' })
      try {
        const [arrives, arrivesUnheard, fails] = [await window(), await window(), await window()]
        for (const deal of [arrives, arrivesUnheard, fails]) {
          expect(await escrow.surroundings.confirmCard(deal.intent)).toMatchObject({ status: 'processing' })
          await escrow.elapse(deal.id, 2)
          await pass(deal)
          await pass(deal)
          expect(await escrow.status(deal.id)).toBe('pending')
          const asked = await escrow.cancel(deal.id, deal.buyer)
          expect(asked).toMatchObject({ status: 409, body: { code: 'PAYMENT_IN_PROGRESS' } })
        }
        await escrow.surroundings.control(`/payments/${arrives.intent}/settle`)
        await escrow.webhook(succeeded(arrives.intent, arrives.totalMinor))
        await escrow.surroundings.control(`/payments/${arrivesUnheard.intent}/settle`)
        await escrow.surroundings.control(`/payments/${fails.intent}/decline`)
        for (const deal of [arrives, arrivesUnheard, fails]) await pass(deal)
        expect(await Promise.all([arrives, arrivesUnheard, fails].map(deal => escrow.status(deal.id)))).toEqual([
          'paid',
          'paid',
          'cancelled',
        ])
        expect(escrow.surroundings.intentStatus(fails.intent)).toBe('canceled')
      } finally {
        await escrow.surroundings.control('/settings', { cards: 'at_once' })
      }
    })

    it('end nothing while the provider cannot say', async () => {
      const deal = await window()
      await escrow.elapse(deal.id, 2)
      // The SDK asks three times by itself.
      await escrow.surroundings.control('/faults', { kind: 'refuse', path: '/cancel', times: 3 })
      await expect(pass(deal)).rejects.toThrow(/could not be reached/)
      expect(await escrow.status(deal.id)).toBe('pending')
      await pass(deal)
      expect(await escrow.status(deal.id)).toBe('cancelled')
    })
  })
})

/** Empties every table of the queue, as somebody might who thinks that it holds nothing but alarms: it does. */
async function wipeQueue(escrow: RunningEscrow): Promise<void> {
  const { tables } = await escrow.row<{ tables: string | null }>(
    `SELECT string_agg(format('timers.%I', relname), ', ') AS tables FROM pg_class
     WHERE relnamespace = 'timers'::regnamespace AND relkind = 'r' AND relname LIKE '%job%'`,
  )
  if (!tables) throw new Error('the queue has no tables')
  await escrow.database.admin.query(`TRUNCATE ${tables} CASCADE`)
}
