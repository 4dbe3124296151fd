import { Heartbeat } from '@holdfast/service-kit/outages/heartbeat'
import { eventually } from '@holdfast/testing/eventually'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { DealsService } from '../deals/deals.service.js'
import { DealClocks } from './deal-clocks.js'
import { OutagesService } from './outages.service.js'

const HOUR_MS = 3_600_000
const WITHIN_MS = 30_000

const LAST_BEAT = `UPDATE escrow.heartbeat SET beat_at = now() - $1 * interval '1 hour',
  clocks_end_until = now() - $1 * interval '1 hour' + interval '1 minute'`

const MADE_HOURS_AGO = `UPDATE escrow.heartbeat SET beat_at = beat_at - interval '5 hours',
  made_at = made_at - interval '5 hours', clocks_end_until = clocks_end_until - interval '5 hours'`

describe('an outage', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  beforeEach(async () => {
    await eventually(async () => (await openOutages()) === 0, WITHIN_MS)
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    expect(await escrow.violations()).toEqual([])
  })
  afterAll(() => escrow.stop())

  const openOutages = async () =>
    (await escrow.row<{ n: number }>('SELECT count(outage_began_at)::int AS n FROM escrow.heartbeat')).n
  const recordedOutages = async () =>
    (await escrow.row<{ n: number }>('SELECT count(*)::int AS n FROM escrow.outage')).n

  /** As if the last heartbeat was so long ago. */
  const lastBeat = (hoursAgo: number) => escrow.database.admin.query(LAST_BEAT, [hoursAgo])
  /** As if the deal's clock had started a day ago and was due so many hours from now. */
  async function startedYesterday({ id }: DealUnderTest, dueInHours: number, at = escrow): Promise<number> {
    const { admin } = at.database
    await admin.query(`UPDATE escrow.clock_entry SET at = at - interval '1 day' WHERE transaction_id = $1`, [id])
    await admin.query(`UPDATE escrow.timeline SET at = at - interval '1 day' WHERE transaction_id = $1`, [id])
    await admin.query(`UPDATE escrow.transaction SET due_at = now() + $2 * interval '1 hour' WHERE id = $1`, [
      id,
      dueInHours,
    ])
    return id
  }
  const dueInMs = async (id: number, at = escrow) =>
    (
      await at.row<{ ms: number }>(
        'SELECT (extract(epoch FROM due_at - now()) * 1000)::float AS ms FROM escrow.transaction WHERE id = $1',
        [id],
      )
    ).ms
  const extensions = async (id: number) =>
    (
      await escrow.row<{ n: number }>(
        `SELECT count(*)::int AS n FROM escrow.clock_entry WHERE transaction_id = $1 AND change = 'extended'
           AND cause = 'outage'`,
        [id],
      )
    ).n
  const expectDueIn = async (id: number, hours: number) =>
    expect(Math.abs((await dueInMs(id)) - hours * HOUR_MS)).toBeLessThan(60_000)

  it('is not what a new installation begins with, although its migrations ran hours before the first start', async () => {
    const fresh = await RunningEscrow.start(async ({ database }) => {
      await database.admin.query(MADE_HOURS_AGO)
      return {}
    })
    try {
      const beat = 'SELECT beat_at > made_at AS "hasBegun", outage_began_at AS "beganAt" FROM escrow.heartbeat'
      const row = await eventually(async () => {
        const found = await fresh.row<{ hasBegun: boolean; beganAt: Date | null }>(beat)
        return found.hasBegun ? found : null
      }, WITHIN_MS)
      expect(row.beganAt).toBeNull()
      expect(await fresh.row('SELECT count(*)::int AS n FROM escrow.outage')).toEqual({ n: 0 })
      // From now on a gap is an outage.
      const id = await startedYesterday(await fresh.paid(), 1, fresh)
      await fresh.stopService()
      await fresh.database.admin.query(LAST_BEAT, [2])
      await fresh.startService()
      await eventually(async () => (await dueInMs(id, fresh)) > 2.5 * HOUR_MS, WITHIN_MS)
    } finally {
      await fresh.stop()
    }
  })

  it('of two hours extends every clock that became due in it by two hours, once, although two replicas start together', async () => {
    const deals = [await escrow.open(), await escrow.paid(), await escrow.inInspection()]
    const before = await Promise.all(deals.map(({ id }) => escrow.status(id)))
    const known = await recordedOutages()
    // The clocks are due only once no replica runs that would end them.
    await escrow.stopService()
    const ran = await Promise.all(deals.map(deal => startedYesterday(deal, -1)))
    await lastBeat(2)
    const [, replica] = await Promise.all([escrow.startService(), escrow.startReplica()])
    try {
      await eventually(async () => (await recordedOutages()) > known, WITHIN_MS)
      expect(await Promise.all(ran.map(id => escrow.status(id)))).toEqual(before)
      for (const id of ran) await expectDueIn(id, 1)
      expect(await Promise.all(ran.map(extensions))).toEqual([1, 1, 1])
      expect(await recordedOutages()).toBe(known + 1)
    } finally {
      await replica.close()
    }
  })

  it('leaves a clock that was due before it, whose end comes as soon as all others are extended', async () => {
    const wasDue = await startedYesterday(await escrow.inInspection(), -3)
    const known = await recordedOutages()
    await lastBeat(2)
    await eventually(async () => (await escrow.status(wasDue)) === 'completed', WITHIN_MS)
    // It may end before this outage does, which would also end the outage of the next test.
    await eventually(async () => (await recordedOutages()) > known, WITHIN_MS)
    expect(await extensions(wasDue)).toBe(0)
  })

  it('ends no clock before the clocks are extended', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => startedYesterday(await escrow.inInspection(), 1)),
    )
    // One statement, because the service that runs would end what is due.
    await escrow.database.admin.query(
      `WITH due AS (UPDATE escrow.transaction SET due_at = now() - interval '1 hour' WHERE id = ANY($2)) ${LAST_BEAT}`,
      [2, ids],
    )
    await Promise.all(ids.map(id => escrow.fireTimers(id)))
    expect(await Promise.all(ids.map(id => escrow.status(id)))).toEqual(ids.map(() => 'inspection'))
    await eventually(async () => (await extensions(ids[4]!)) === 1, WITHIN_MS)
  })

  it('does not extend the clock of a deal in dispute, nor one that started after it', async () => {
    const disputed = await escrow.inInspection()
    await startedYesterday(disputed, 1)
    await escrow.dispute(disputed.id, 'freeze', 1, disputed.buyer.id)
    const during = await escrow.paid()
    const clocks = escrow.service.app.get(DealClocks)
    const ms = Date.now()
    const found = async (beganAgo: number, endedAgo: number) => {
      const outage = { beganAt: new Date(ms - beganAgo), endedAt: new Date(ms - endedAgo) }
      return (await clocks.dealsIn(outage, 0, 1_000)).map(clock => clock.id)
    }
    expect(await found(2 * HOUR_MS, HOUR_MS)).not.toContain(during.id)
    expect(await found(2 * HOUR_MS, -HOUR_MS)).toContain(during.id)
    expect(await found(2 * HOUR_MS, -HOUR_MS)).not.toContain(disputed.id)
  })

  it('extends each clock once, although the replica that extended the first of them was killed', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => startedYesterday(await escrow.inInspection(), 1)),
    )
    const { app } = escrow.service
    const replica = await escrow.startReplica()
    // No replica extends a clock by itself meanwhile.
    for (const each of [app, replica.app]) jest.spyOn(each.get(OutagesService), 'beat').mockResolvedValue()
    try {
      await lastBeat(2)
      const outage = await eventually(() => app.get(Heartbeat).beat(60_000))
      const found = (await app.get(DealClocks).dealsIn(outage, 0, 1_000)).filter(({ id }) => ids.includes(id))
      expect(found).toHaveLength(ids.length)
      for (const clock of found.slice(0, 2)) expect(await app.get(DealsService).extendClock(clock)).toBeTruthy()
      jest.restoreAllMocks()
      await Promise.all([app, replica.app, app, replica.app].map(each => each.get(OutagesService).beat()))
      await eventually(async () => (await openOutages()) === 0, WITHIN_MS)
      expect(await Promise.all(ids.map(extensions))).toEqual(ids.map(() => 1))
      for (const id of ids) await expectDueIn(id, 3)
    } finally {
      await replica.close()
    }
  })

  it('that an operator records is given back in the same way', async () => {
    const id = await startedYesterday(await escrow.inInspection(), 1)
    await escrow.database.admin.query(
      `UPDATE escrow.heartbeat SET outage_began_at = t.now - interval '3 hours', outage_ended_at = t.now - interval '1 hour',
         clocks_end_until = t.now - interval '3 hours'
       FROM (SELECT date_trunc('second', now()) AS now) t`,
    )
    await eventually(async () => (await openOutages()) === 0, WITHIN_MS)
    await expectDueIn(id, 3)
    expect(await extensions(id)).toBe(1)
  })

  it('extends a clock once, although the database’s clock was set back since the outage was noticed', async () => {
    const id = await startedYesterday(await escrow.inInspection(), 1)
    await escrow.database.admin.query(
      `UPDATE escrow.heartbeat SET outage_began_at = t.now - interval '2 hours', outage_ended_at = t.now + interval '2 seconds',
         clocks_end_until = t.now - interval '2 hours'
       FROM (SELECT date_trunc('second', now()) AS now) t`,
    )
    await escrow.service.app.get(OutagesService).beat()
    expect(await openOutages()).toBe(0)
    expect(await extensions(id)).toBe(1)
    await expectDueIn(id, 3)
  })

  it('is named in the timeline as the reason of the extension', async () => {
    const deal = await escrow.inInspection()
    await startedYesterday(deal, 1)
    await lastBeat(2)
    await eventually(async () => (await extensions(deal.id)) === 1, WITHIN_MS)
    const { body } = await escrow.request<{ kind: string; actor: string; clock: object }[]>(
      'GET',
      `/api/transactions/${deal.id}/timeline`,
      { actor: deal.buyer },
    )
    expect(body.at(-1)).toMatchObject({
      kind: 'outage',
      text: 'Holdfast was not available for a while: the deadline was moved by that time.',
      actor: 'system',
      clock: { kind: 'inspection', change: 'extended' },
    })
  })
})
