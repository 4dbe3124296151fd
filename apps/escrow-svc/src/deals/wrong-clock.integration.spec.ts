import { newId } from '@holdfast/kernel/ids'
import { COMPARE_EVERY_MS } from '@holdfast/service-kit/database/clock-watch'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import type { RunningService } from '@holdfast/service-kit/lifecycle/service'
import { eventually } from '@holdfast/testing/eventually'
import { RunningEscrow } from '../../test/running-escrow.js'
import { RefundsService } from '../payments/refunds.service.js'
import { DealsRepository } from './deals.repository.js'
import { DealsService } from './deals.service.js'
import { CLOCK_ACTOR } from './domain/deal.js'
import { decide } from './domain/decisions.js'

const MINUTES = 60_000
const HOUR = 60 * MINUTES
const DAYS = 86_400_000

/** Makes a process read another time than the database does. */
function shiftClock({ app }: RunningService, byMs: number): void {
  jest.spyOn(app.get(Clock), 'now').mockImplementation(() => new Date(Date.now() + byMs))
}

describe('a replica with a wrong clock', () => {
  let escrow: RunningEscrow
  let ahead: RunningService
  let behind: RunningService

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    ahead = await escrow.startReplica()
    behind = await escrow.startReplica()
    shiftClock(ahead, 4 * MINUTES)
    shiftClock(behind, -4 * MINUTES)
  })
  afterEach(async () => expect(await escrow.violations()).toEqual([]))
  afterAll(async () => {
    jest.restoreAllMocks()
    await Promise.all([ahead, behind].map(replica => replica.close()))
    await escrow.stop()
  })

  const dueIn = (id: number, interval: string) =>
    escrow.row('UPDATE escrow.transaction SET due_at = clock_timestamp() + $2::interval WHERE id = $1 RETURNING 1', [
      id,
      interval,
    ])
  const shipped = async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: `T${deal.id}` })
    return deal
  }
  const withEveryClock = async () =>
    [await escrow.open(), await escrow.paidAtProvider(), await shipped(), await escrow.inInspection()].map(
      deal => deal.id,
    )

  it('ends no clock early, although its own time is past the due time', async () => {
    const deals = await withEveryClock()
    for (const id of deals) await dueIn(id, '3 minutes')
    const before = await Promise.all(deals.map(id => escrow.status(id)))
    for (const id of deals) await escrow.fireTimers(id, ahead)
    expect(await Promise.all(deals.map(id => escrow.status(id)))).toEqual(before)
  })

  it('ends a clock that is due by the time of the database, although its own time is earlier', async () => {
    const deals = await withEveryClock()
    for (const id of deals) await dueIn(id, '0')
    for (const id of deals) await escrow.fireTimers(id, behind)
    expect(await Promise.all(deals.map(id => escrow.status(id)))).toEqual([
      'cancelled',
      'cancelled',
      'disputed',
      'completed',
    ])
  })

  it('starts clocks at the time of the database', async () => {
    const bought = await escrow.paid()
    await ahead.app.get(DealsService).confirmDelivery(bought.id, { userId: bought.buyer.id, key: null })
    const { secondsOff } = await escrow.row<{ secondsOff: number }>(
      `SELECT extract(epoch FROM due_at - clock_timestamp() - interval '3 days')::float AS "secondsOff"
         FROM escrow.transaction WHERE id = $1`,
      [bought.id],
    )
    expect(Math.abs(secondsOff)).toBeLessThan(30)
  })

  it('writes no end of a clock that is not due, whatever it decided', async () => {
    const { id } = await escrow.inInspection()
    const given = {
      role: 'clock',
      now: new Date(Date.now() + 30 * DAYS),
      daySeconds: 86_400,
      refundId: newId(),
    } as const
    const write = ahead.app
      .get(DealsRepository)
      .change(id, CLOCK_ACTOR, deal => decide(deal, { type: 'endInspection' }, given))
    await expect(write).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await escrow.status(id)).toBe('inspection')
  })

  it.each([
    ['ahead', HOUR],
    ['back', -HOUR],
  ])(
    'ends clocks on time and repeats its work soon, although its time jumps an hour %s while it runs',
    async (_, byMs) => {
      const [early, due] = [await withEveryClock(), await withEveryClock()]
      const refunded = await escrow.paidAtProvider()
      await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 100 })
      const jumping = await escrow.startReplica()
      try {
        shiftClock(jumping, byMs)
        for (const id of early) await dueIn(id, '3 minutes')
        for (const id of due) await dueIn(id, '0')
        for (const id of [...early, ...due]) await escrow.fireTimers(id, jumping)
        expect(await Promise.all(early.map(id => escrow.status(id)))).toEqual([
          'pending',
          'paid',
          'shipped',
          'inspection',
        ])
        expect(await Promise.all(due.map(id => escrow.status(id)))).toEqual([
          'cancelled',
          'cancelled',
          'disputed',
          'completed',
        ])
        await jumping.app.get(DealsService).refund(refunded.id, { userId: refunded.seller.id, key: null })
        const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [
          refunded.id,
        ])
        await escrow.row('UPDATE escrow.refund SET due_at = now() WHERE id = $1 RETURNING 1', [id])
        await jumping.app.get(RefundsService).send(id)
        const { seconds, ago } = await escrow.row<{ seconds: number; ago: number }>(
          `SELECT extract(epoch FROM due_at - clock_timestamp())::float AS seconds,
             extract(epoch FROM clock_timestamp() - updated_at)::float AS ago FROM escrow.refund WHERE id = $1`,
          [id],
        )
        expect(seconds).toBeGreaterThan(-30)
        expect(seconds).toBeLessThan(120)
        expect(Math.abs(ago)).toBeLessThan(120)
        await escrow.dependencies.control('/faults', {}, 'DELETE')
        await escrow.row('UPDATE escrow.refund SET due_at = now() WHERE id = $1 RETURNING 1', [id])
        await jumping.app.get(RefundsService).send(id)
        const confirmed = `SELECT extract(epoch FROM clock_timestamp() - at)::float AS ago FROM escrow.journal_entry
          WHERE transaction_id = $1 AND kind = 'refund_confirmed'`
        expect(Math.abs((await escrow.row<{ ago: number }>(confirmed, [refunded.id])).ago)).toBeLessThan(120)
      } finally {
        await escrow.dependencies.control('/faults', {}, 'DELETE')
        await jumping.close()
      }
    },
  )

  it('is not ready, and names its clock as the reason', async () => {
    const readiness = async ({ port }: RunningService) => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
      const { checks } = (await answer.json()) as { checks: Record<string, string> }
      return { status: answer.status, clock: checks.clock }
    }
    for (const replica of [ahead, behind])
      await eventually(async () => (await readiness(replica)).status === 503, COMPARE_EVERY_MS * 2)
    expect(await Promise.all([ahead, behind, escrow.service].map(readiness))).toEqual([
      { status: 503, clock: 'failed' },
      { status: 503, clock: 'failed' },
      { status: 200, clock: 'ok' },
    ])
  })
})
