import type { DisputeCaseRecord } from '@holdfast/contracts/disputes'
import { DISPUTE_CLOCK_DAYS, type DisputeClock } from '@holdfast/kernel/disputes'
import { Heartbeat } from '@holdfast/service-kit/outages/heartbeat'
import { eventually } from '@holdfast/testing/eventually'
import { aDeal, type Deal } from '../../test/fake-escrow.js'
import { RunningDispute } from '../../test/running-dispute.js'
import { CaseClocksTimer } from '../cases/case-clocks.timer.js'
import { DisputeClocks } from './dispute-clocks.js'
import { OutagesService } from './outages.service.js'

const HOUR_MS = 3_600_000
const WITHIN_MS = 30_000

describe('an outage of dispute-svc', () => {
  let disputes: RunningDispute

  beforeAll(async () => {
    disputes = await RunningDispute.start()
  })
  beforeEach(() => eventually(async () => (await openOutages()) === 0, WITHIN_MS))
  afterAll(() => disputes.stop())

  const row = async <R>(sql: string, values: unknown[] = []) =>
    (await disputes.database.admin.query(sql, values)).rows[0] as R
  const openOutages = async () =>
    (await row<{ n: number }>('SELECT count(outage_began_at)::int AS n FROM dispute.heartbeat')).n
  const recordedOutages = async () => (await row<{ n: number }>('SELECT count(*)::int AS n FROM dispute.outage')).n

  /** Disputes whose time limits started a day ago. The fake escrow knows one deal at a time. */
  async function filed(count: number): Promise<{ id: number; deal: Deal }[]> {
    const made: { id: number; deal: Deal }[] = []
    for (let n = 0; n < count; n++) {
      const deal = aDeal()
      disputes.escrow.agree(deal)
      made.push({ id: (await disputes.file(deal, deal.buyer)).body.id, deal })
    }
    await disputes.database.admin.query(
      `UPDATE dispute.dispute_clock SET started_at = started_at - interval '1 day' WHERE dispute_id = ANY($1)`,
      [made.map(({ id }) => id)],
    )
    return made
  }
  const idsOf = (made: readonly { id: number }[]) => made.map(({ id }) => id)

  /**
   * As if the service had been off until now, and its last heartbeat was so long ago. The answer is due so many hours from now, and
   * the first look a minute later. One statement writes both, because a replica that runs would end what is due.
   */
  const wasOff = (hours: number, ids: readonly number[], { dueInHours }: { dueInHours: number }) =>
    disputes.database.admin.query(
      `WITH due AS (
         UPDATE dispute.dispute_clock c SET wake_at = due.at, due_at = due.at
         FROM (VALUES ('response', now() + $2 * interval '1 hour'),
           ('first_look', now() + $2 * interval '1 hour' + interval '1 minute')) AS due (kind, at)
         WHERE c.dispute_id = ANY($1) AND c.kind = due.kind)
       UPDATE dispute.heartbeat SET beat_at = now() - $3 * interval '1 hour',
         clocks_end_until = now() - $3 * interval '1 hour' + interval '1 minute'`,
      [ids, dueInHours, hours],
    )
  const clockOf = (id: number, kind: DisputeClock) =>
    row<{ id: string; dueMs: number; wakeMs: number }>(
      `SELECT id, (extract(epoch FROM due_at - now()) * 1000)::float AS "dueMs",
         (extract(epoch FROM wake_at - now()) * 1000)::float AS "wakeMs"
       FROM dispute.dispute_clock WHERE dispute_id = $1 AND kind = $2`,
      [id, kind],
    )
  async function expectDueIn(id: number, kind: DisputeClock, hours: number): Promise<void> {
    expect(Math.abs((await clockOf(id, kind)).dueMs - hours * HOUR_MS)).toBeLessThan(120_000)
  }
  const extensions = async (id: number) =>
    (
      await row<{ n: number }>(
        `SELECT count(*)::int AS n FROM dispute.history WHERE dispute_id = $1 AND step = 'time_extended'`,
        [id],
      )
    ).n
  const stageOf = async (id: number) =>
    (await row<{ stage: string }>('SELECT stage FROM dispute.dispute WHERE id = $1', [id])).stage
  const fire = async (id: number) =>
    disputes.running.app.get(CaseClocksTimer, { strict: false }).fire((await clockOf(id, 'response')).id)

  it('of two hours extends every time limit that became due in it by two hours, once, although two replicas notice it together', async () => {
    const ids = idsOf(await filed(3))
    const known = await recordedOutages()
    const extendedBefore = await disputes.metric('dispute_clocks_extended_total')
    const replica = await disputes.startReplica()
    try {
      await wasOff(2, ids, { dueInHours: -1 })
      await Promise.all([disputes.running, replica].map(({ app }) => app.get(OutagesService, { strict: false }).beat()))
      await eventually(async () => (await recordedOutages()) > known, WITHIN_MS)
      expect(await Promise.all(ids.map(stageOf))).toEqual(ids.map(() => 'open'))
      for (const id of ids) {
        await expectDueIn(id, 'response', 1)
        await expectDueIn(id, 'first_look', 1)
        await expectDueIn(id, 'ruling', DISPUTE_CLOCK_DAYS.ruling * 24 + 2)
        expect((await clockOf(id, 'ruling')).wakeMs).toBeCloseTo((await clockOf(id, 'ruling')).dueMs - 24 * HOUR_MS, -4)
      }
      expect(await Promise.all(ids.map(extensions))).toEqual([1, 1, 1])
      expect(await recordedOutages()).toBe(known + 1)
      expect(await disputes.metric('dispute_clocks_extended_total')).toBeGreaterThanOrEqual(extendedBefore + 9)
    } finally {
      await replica.close()
    }
  })

  it('leaves a time limit that was due before it, whose end comes as soon as all others are extended', async () => {
    const [id] = idsOf(await filed(1)) as [number]
    await wasOff(2, [id], { dueInHours: -3 })
    await eventually(async () => (await stageOf(id)) === 'investigating', WITHIN_MS)
    expect(
      await row('SELECT extended_at FROM dispute.dispute_clock WHERE dispute_id = $1 AND kind = $2', [id, 'response']),
    ).toEqual({ extended_at: null })
  })

  it('ends no time limit and sends no reminder before the time limits are extended', async () => {
    const [id, reminded] = idsOf(await filed(2)) as [number, number]
    const clocks = disputes.running.app.get(DisputeClocks, { strict: false })
    const extending = jest.spyOn(clocks, 'disputesIn').mockRejectedValue(new Error('not yet'))
    try {
      await wasOff(2, [id], { dueInHours: -1 })
      await disputes.database.admin.query(
        `UPDATE dispute.dispute_clock SET wake_at = now() WHERE dispute_id = $1 AND kind = 'response'`,
        [reminded],
      )
      await Promise.all([fire(id), fire(reminded)])
      expect(await stageOf(id)).toBe('open')
      const { rows } = await disputes.database.admin.query(
        `SELECT step FROM dispute.history WHERE dispute_id = ANY($1) AND step IN ('reminded', 'response_ended')`,
        [[id, reminded]],
      )
      expect(rows).toEqual([])
      expect(await extensions(id)).toBe(0)
    } finally {
      extending.mockRestore()
    }
    await eventually(async () => (await extensions(id)) === 1, WITHIN_MS)
  })

  it('extends each time limit once, although the replica that extended the first of them was killed', async () => {
    const ids = idsOf(await filed(6))
    const { app } = disputes.running
    const clocks = app.get(DisputeClocks, { strict: false })
    await wasOff(2, ids, { dueInHours: 1 })
    const outage = await eventually(() => app.get(Heartbeat, { strict: false }).beat(60_000), WITHIN_MS)
    for (const id of ids.slice(0, 2)) await clocks.extend(id, outage)
    const replica = await disputes.startReplica()
    try {
      const beats = [app, replica.app, app, replica.app].map(each => each.get(OutagesService, { strict: false }).beat())
      await Promise.all(beats)
      await eventually(async () => (await openOutages()) === 0, WITHIN_MS)
      expect(await Promise.all(ids.map(extensions))).toEqual(ids.map(() => 1))
      for (const id of ids) await expectDueIn(id, 'response', 3)
    } finally {
      await replica.close()
    }
  })

  it('extends a time limit once, although the database’s clock was set back since it was noticed', async () => {
    const [id] = idsOf(await filed(1)) as [number]
    await wasOff(2, [id], { dueInHours: 1 })
    await disputes.database.admin.query(
      `UPDATE dispute.heartbeat SET outage_began_at = t.now - interval '2 hours', outage_ended_at = t.now + interval '2 seconds',
         clocks_end_until = t.now - interval '2 hours'
       FROM (SELECT date_trunc('second', now()) AS now) t`,
    )
    await disputes.running.app.get(OutagesService, { strict: false }).beat()
    expect(await openOutages()).toBe(0)
    expect(await extensions(id)).toBe(1)
    await expectDueIn(id, 'response', 3)
  })

  it('does not extend a time limit that started after it, or that was escalated', async () => {
    const [during, escalated] = idsOf(await filed(2)) as [number, number]
    await disputes.database.admin.query(
      'UPDATE dispute.dispute_clock SET escalated_at = now(), wake_at = NULL WHERE dispute_id = $1',
      [escalated],
    )
    const clocks = disputes.running.app.get(DisputeClocks, { strict: false })
    const found = async (beganHoursAgo: number, endedHoursAgo: number) => {
      const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * HOUR_MS)
      const outage = { beganAt: at(beganHoursAgo), endedAt: at(endedHoursAgo) }
      return (await clocks.disputesIn(outage, 0, 1_000)).map(({ id }) => id)
    }
    expect(await found(50, 49)).not.toContain(during)
    expect(await found(2, 1)).toContain(during)
    expect(await found(2, 1)).not.toContain(escalated)
  })

  it('is shown to both parties in the history of the case', async () => {
    const [{ id, deal }] = (await filed(1)) as [{ id: number; deal: Deal }]
    await wasOff(2, [id], { dueInHours: 1 })
    await eventually(async () => (await extensions(id)) === 1, WITHIN_MS)
    for (const actor of [deal.buyer, deal.seller]) {
      const { body } = await disputes.client.request<DisputeCaseRecord>('GET', `/internal/disputes/${id}`, { actor })
      expect(body.history.at(-1)).toMatchObject({
        step: 'time_extended',
        by: 'system',
        text: 'Holdfast was not available for a while. Each time limit that ran was extended by that time.',
      })
    }
    expect(await disputes.published(deal.id)).toContain('dispute.dispute.progressed.v1')
  })

  it.each([
    [90, 22_500],
    [1, 10_000],
  ])('is shorter where a day has %d seconds: after %d ms without a heartbeat', async (daySeconds, limitMs) => {
    const replica = await disputes.startReplica({ DAY_SECONDS: String(daySeconds) })
    try {
      // The other replica, whose days are longer, may write its heartbeat in between.
      await eventually(async () => {
        await replica.app.get(OutagesService, { strict: false }).beat()
        const { ms } = await row<{ ms: number }>(
          'SELECT (extract(epoch FROM clocks_end_until - beat_at) * 1000)::float AS ms FROM dispute.heartbeat',
        )
        return ms === limitMs
      }, WITHIN_MS)
    } finally {
      await replica.close()
    }
  })
})
