import type { DisputeCaseRecord, QueuedDisputeRecord } from '@holdfast/contracts/disputes'
import type { SettlementTerms } from '@holdfast/contracts/transactions'
import { DISPUTE_CLOCK_DAYS, type DisputeClock } from '@holdfast/kernel/disputes'
import { redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import type { z } from 'zod'
import { aDeal, type Deal } from '../../test/fake-escrow.js'
import { RunningDispute } from '../../test/running-dispute.js'
import { DisputeClocks } from '../outages/dispute-clocks.js'
import { BankDecisionsTimer } from './bank-decisions.timer.js'
import { CaseClocksTimer } from './case-clocks.timer.js'

const HOUR_MS = 3_600_000
const mediator = { ...userActor(), role: 'admin' as const }

describe('while the buyer’s bank decides', () => {
  let disputes: RunningDispute
  beforeAll(async () => {
    disputes = await RunningDispute.start()
  })
  afterAll(() => disputes.stop())

  const query = async <R>(sql: string, values: unknown[]) =>
    (await disputes.database.admin.query(sql, values)).rows as R[]
  const service = <T>(type: new (...args: never[]) => T): T => disputes.running.app.get(type, { strict: false })
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

  async function filed(): Promise<{ id: number; deal: Deal }> {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    return { id: (await disputes.file(deal, deal.buyer)).body.id, deal }
  }
  /** The dispute of the system about a chargeback. */
  async function chargedBack(): Promise<{ id: number; deal: Deal }> {
    const deal = aDeal()
    await disputes.escrowFroze(deal, 'chargeback')
    return { id: (await disputes.stepsOf(deal.id))[0]!.id, deal }
  }
  /** As if the dispute had been opened, and its bank had begun to decide, so many hours ago. */
  const ago = (id: number, hours: number) =>
    query(
      `WITH moved AS (UPDATE dispute.bank_decision b SET pending_since = pending_since - $2 * interval '1 hour'
         FROM dispute.dispute d WHERE d.id = $1 AND b.transaction_id = d.transaction_id)
       UPDATE dispute.dispute_clock SET started_at = started_at - $2 * interval '1 hour', due_at = due_at - $2 * interval '1 hour',
         wake_at = wake_at - $2 * interval '1 hour', stopped_at = stopped_at - $2 * interval '1 hour' WHERE dispute_id = $1`,
      [id, hours],
    )
  interface ClockState {
    readonly id: string
    readonly hours: number
    readonly wakes: number | null
    readonly stopped: boolean
  }
  /** How many hours a time limit has left, and when it wakes the service. */
  const clockOf = async (id: number, kind: DisputeClock): Promise<ClockState> =>
    (
      await query<ClockState>(
        `SELECT id, (extract(epoch FROM due_at - now()) / 3600)::float AS hours, stopped_at IS NOT NULL AS stopped,
           (extract(epoch FROM wake_at - now()) / 3600)::float AS wakes
         FROM dispute.dispute_clock WHERE dispute_id = $1 AND kind = $2`,
        [id, kind],
      )
    )[0]!
  async function expectLeft(id: number, kind: DisputeClock, hours: number): Promise<void> {
    const clock = await clockOf(id, kind)
    expect(clock.stopped).toBe(false)
    expect(clock.hours).toBeCloseTo(hours, 1)
  }
  const read = async (id: number, actor: Deal['buyer']) =>
    (await disputes.client.request<DisputeCaseRecord>('GET', `/internal/disputes/${id}`, { actor })).body
  const stepsOf = async (id: number) =>
    (await query<{ step: string }>('SELECT step FROM dispute.history WHERE dispute_id = $1 ORDER BY at, id', [id])).map(
      ({ step }) => step,
    )
  const queue = async () =>
    (
      await disputes.client.request<z.output<typeof QueuedDisputeRecord>[]>('GET', '/internal/disputes?limit=100', {
        actor: mediator,
      })
    ).body

  it('no time limit of its dispute ends, reminds or is escalated, and afterwards each has its whole time', async () => {
    const { id, deal } = await chargedBack()
    await ago(id, 20 * 24)
    for (const kind of ['response', 'first_look', 'ruling'] as const)
      await service(CaseClocksTimer).fire((await clockOf(id, kind)).id)
    expect(await stepsOf(id)).toEqual(['filed'])
    expect(await read(id, deal.buyer)).toMatchObject({ status: 'open', turn: 'bank', clocks: [] })
    await disputes.bankDecided(deal, 'won', 'disputed')
    for (const kind of ['response', 'first_look', 'ruling'] as const) {
      await expectLeft(id, kind, DISPUTE_CLOCK_DAYS[kind] * 24)
      expect((await clockOf(id, kind)).wakes).toBeCloseTo((DISPUTE_CLOCK_DAYS[kind] - 1) * 24, 1)
    }
    expect(await stepsOf(id)).toEqual(['filed', 'time_resumed'])
    expect(await read(id, deal.seller)).toMatchObject({ turn: 'both', clocks: [{}, {}, {}] })
  })

  it('the dispute of a party stops as well, and goes on with the time that was left', async () => {
    const { id, deal } = await filed()
    // Less than the time after which the first reminder is due, which a timer might send in between.
    await ago(id, 20)
    await disputes.bankAsks(deal, {}, hoursAgo(10))
    expect(await clockOf(id, 'response')).toMatchObject({ stopped: true, wakes: null })
    await disputes.bankDecided(deal, 'lost', 'disputed')
    // It was filed 20 hours ago, and 10 of them do not count.
    await expectLeft(id, 'response', 3 * 24 - 10)
    expect(await stepsOf(id)).toEqual(['filed', 'time_stopped', 'time_resumed'])
  })

  it('each event counts once, and an older one that arrives late counts no more', async () => {
    const { id, deal } = await filed()
    await disputes.bankAsks(deal, { version: 5 })
    await disputes.bankDecided(deal, 'won', 'disputed', { version: 8 }, hoursAgo(1))
    await disputes.bankAsks(deal, { version: 7 })
    await redeliverAll('dispute-svc', disputes.database)
    await disputes.bankAsks(deal, { version: 6 })
    await expectLeft(id, 'response', 3 * 24)
    expect(await stepsOf(id)).toEqual(['filed', 'time_stopped', 'time_resumed'])
    await disputes.bankAsks(deal, { version: 9 })
    expect(await clockOf(id, 'response')).toMatchObject({ stopped: true })
    expect(await stepsOf(id)).toEqual(['filed', 'time_stopped', 'time_resumed', 'time_stopped'])
  })

  it('the last of several decisions lets the time limits go on', async () => {
    const { id, deal } = await chargedBack()
    await disputes.bankAsks(deal, { version: 4 })
    await disputes.bankDecided(deal, 'lost', 'disputed', { version: 5, waitsForBank: true })
    expect(await clockOf(id, 'ruling')).toMatchObject({ stopped: true })
    await disputes.bankDecided(deal, 'won', 'disputed', { version: 6 })
    await expectLeft(id, 'ruling', 14 * 24)
  })

  it('no time limit goes on when the decision cancels the deal', async () => {
    const { id, deal } = await filed()
    await disputes.bankAsks(deal, { version: 5 })
    await disputes.bankDecided(deal, 'lost', 'cancelled', { version: 6 })
    expect(await stepsOf(id)).toEqual(['filed', 'time_stopped'])
  })

  it('the decision may be known before the opening of the dispute', async () => {
    const deal = aDeal()
    await disputes.bankDecided(deal, 'lost', 'disputed')
    await disputes.escrowFroze(deal, 'chargeback', null, hoursAgo(1))
    const { id } = (await disputes.stepsOf(deal.id))[0]!
    await expectLeft(id, 'response', 3 * 24)
  })

  it('a filing that is opened later starts with stopped time limits', async () => {
    const deal = aDeal()
    const stalled = disputes.escrow.stall(deal)
    const filing = disputes.file(deal, deal.buyer)
    await stalled.received
    await disputes.bankAsks(deal)
    stalled.freeze(deal)
    const { id } = (await filing).body
    expect(await clockOf(id, 'response')).toMatchObject({ stopped: true, wakes: null })
  })

  it.each([
    ['asks', false, (deal: Deal) => disputes.bankAsks(deal, { version: 9 })],
    ['decides', true, (deal: Deal) => disputes.bankDecided(deal, 'won', 'disputed', { version: 9 })],
  ])('a bank that %s at the moment in which a dispute opens is not missed', async (_, askedBefore, hears) => {
    const deal = aDeal()
    const stalled = disputes.escrow.stall(deal)
    const filing = disputes.file(deal, deal.buyer)
    await stalled.received
    if (askedBefore) await disputes.bankAsks(deal, { version: 5 })
    // The dbTx that opens the dispute waits here, after it has started the time limits.
    const blocker = await disputes.database.admin.connect()
    let heard: Promise<unknown>
    try {
      await blocker.query('BEGIN; LOCK TABLE dispute.history IN EXCLUSIVE MODE')
      stalled.freeze(deal)
      const waiting = `SELECT FROM pg_locks WHERE relation = 'dispute.history'::regclass AND NOT granted`
      await eventually(async () => (await blocker.query(waiting)).rowCount! > 0, 5_000)
      heard = hears(deal)
      const waitsForOpening = `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
        WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`
      await eventually(async () => (await blocker.query(waitsForOpening)).rowCount! > 0, 5_000)
    } finally {
      await blocker.query('COMMIT')
      blocker.release()
    }
    const { id } = (await filing).body
    await heard
    expect(await clockOf(id, 'response')).toMatchObject({ stopped: !askedBefore })
  })

  it('evidence is welcome, and nothing is decided about the money', async () => {
    const { id, deal } = await chargedBack()
    expect((await disputes.addEvidence(id, deal.seller, [])).status).toBe(201)
    expect((await read(id, deal.seller)).actions).toEqual(['addEvidence'])
    expect((await read(id, mediator)).actions).toEqual(['investigate'])
    const body = { outcome: 'full_refund', resolution: 'The pictures show it.', approvers: [mediator.id] }
    const headers = { 'idempotency-key': `rule-${id}` }
    const path = `/internal/disputes/${id}/ruling`
    expect(await disputes.client.request('POST', path, { actor: mediator, body, headers })).toMatchObject({
      status: 409,
      body: { code: 'ESCROW_STOPPED_BY_PROVIDER' },
    })
  })

  it('the dispute stands at the end of the queue and is never late', async () => {
    const waiting = await filed()
    await query('UPDATE dispute.dispute_clock SET escalated_at = now(), wake_at = NULL WHERE dispute_id = $1', [
      waiting.id,
    ])
    await disputes.bankAsks(waiting.deal)
    await ago(waiting.id, 30 * 24)
    const { id } = await filed()
    const found = await queue()
    const ids = found.map(each => each.id)
    expect(ids).toEqual(expect.arrayContaining([waiting.id, id]))
    expect(ids.indexOf(waiting.id)).toBeGreaterThan(ids.indexOf(id))
    expect(found.find(each => each.id === waiting.id)).toMatchObject({ turn: 'bank', isEscalated: false, dueAt: null })
    await disputes.bankDecided(waiting.deal, 'won', 'disputed')
    // The limit has not passed yet, so going on takes the escalation back.
    expect((await queue()).find(each => each.id === waiting.id)).toMatchObject({ isEscalated: false })
  })

  it('an outage extends only the part in which a time limit ran, whatever is handled first', async () => {
    const outage = { beganAt: hoursAgo(12), endedAt: hoursAgo(2) }
    const [before, after] = [await filed(), await filed()]
    for (const { id } of [before, after]) await ago(id, 24)
    await service(DisputeClocks).extend(before.id, outage)
    for (const { deal } of [before, after]) await disputes.bankAsks(deal, {}, hoursAgo(8))
    await service(DisputeClocks).extend(after.id, outage)
    for (const { id } of [before, after]) expect(await service(DisputeClocks).extend(id, outage)).toBe(0)
    for (const { id, deal } of [before, after]) {
      await disputes.bankDecided(deal, 'won', 'disputed')
      expect(await service(DisputeClocks).extend(id, outage)).toBe(0)
    }
    // 24 hours passed: 4 in the outage before the bank asked, and 8 since then. Where the outage was handled first, the time until then counts as given back.
    await expectLeft(after.id, 'response', 3 * 24 - 12)
    await expectLeft(before.id, 'response', 3 * 24 - 14)
  })

  it('escrow is asked when an event of an older release does not say whether the deal waits', async () => {
    const { id, deal } = await chargedBack()
    await disputes.bankAsks(deal)
    let waitsForBank = true
    disputes.escrow.answer = ({ path }) => (path.includes(`/${deal.id}/`) ? terms(waitsForBank) : null)
    await disputes.bankDecided(deal, 'won', 'disputed', { waitsForBank: undefined })
    await service(BankDecisionsTimer).fire(deal.id)
    expect(await clockOf(id, 'ruling')).toMatchObject({ stopped: true })
    // An operator has corrected the deal, of which no event tells.
    waitsForBank = false
    await query('UPDATE dispute.bank_decision SET ask_at = now() WHERE transaction_id = $1', [deal.id])
    await eventually(async () => !(await clockOf(id, 'ruling')).stopped)
    await expectLeft(id, 'ruling', 14 * 24)
  })
})

/** Escrow's answer about a deal of 100.00. */
let version = 20
const terms = (waitsForBank: boolean) => ({
  status: 200,
  body: {
    currency: 'USD',
    ...{ held: '107.00', buyerFee: '7.00', feeSchedule: '2026-11', sellerPlan: 'standard', status: 'disputed' },
    ...{ parcelMoved: false, needsSecondAdmin: false, waitsForBank, version: version++ },
  } satisfies z.input<typeof SettlementTerms> & { version: number },
})
