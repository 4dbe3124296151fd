import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionRecord } from '@holdfast/contracts/transactions'
import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { loseSessionAtWrite } from '../test/lost-session.js'
import { manyInInspection } from '../test/many-deals.js'
import { RunningEscrow } from '../test/running-escrow.js'
import { DealsRepository } from './deals/deals.repository.js'
import { DealsService } from './deals/deals.service.js'
import { OUTAGE_ACTOR } from './deals/domain/deal.js'
import { extendClock } from './deals/domain/decisions.js'
import { RefundsService } from './payments/refunds.service.js'

const GOES_ON_WITHIN_MS = 20_000
const DEALS = 48
const ROUNDS = 30

let escrow: RunningEscrow

beforeAll(async () => {
  escrow = await RunningEscrow.start()
  await escrow.addReplica(0)
})
afterEach(async () => expect(await escrow.violations()).toEqual([]))
afterAll(() => escrow.stop())

/** The work is repeated by the service itself, by its timers, or by the client that got no answer. */
describe('work whose session ends between its lock and its write', () => {
  it('opens one deal of a listing, although the lock of the listing is lost', async () => {
    const [buyer, seller, key] = [userActor(), userActor(), newId()]
    const terms = escrow.terms(seller)
    const purchase = { listingId: terms.listingId, buyerId: buyer.id, amount: terms.price }
    const buy = () =>
      escrow.request<TransactionRecord>('POST', '/internal/transactions', {
        actor: buyer,
        body: { terms, buyerId: buyer.id, purchase },
        headers: { 'idempotency-key': key },
      })
    const lost = await loseSessionAtWrite(escrow, 'outbox', buy)
    expect([201, 503]).toContain(lost.status)
    expect((await buy()).status).toBe(201)
    const { n } = await escrow.row<{ n: number }>(
      'SELECT count(*)::int AS n FROM escrow.transaction WHERE listing_id = $1',
      [terms.listingId],
    )
    expect(n).toBe(1)
  })

  it('releases once, although the lock of the deal is lost while its buyer accepts', async () => {
    const deal = await escrow.inInspection()
    const accept = () => escrow.act(deal.id, deal.buyer, 'accept', undefined, 'accept-once')
    const lost = await loseSessionAtWrite(escrow, 'posting', accept)
    expect([200, 503]).toContain(lost.status)
    expect(await accept()).toMatchObject({ status: 200, body: { status: 'completed' } })
    expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
  })

  it('ends a clock once, although the lock of the deal is lost while the clock ends', async () => {
    const deal = await escrow.inInspection()
    await escrow.elapse(deal.id, 60)
    const fire = () => escrow.service.app.get(DealsService).endDueClock(deal.id)
    // The timers of both replicas may have the lock as well. Each that loses it tries again.
    await loseSessionAtWrite(escrow, 'posting', () => fire().catch(() => null))
    await eventually(async () => (await escrow.status(deal.id)) === 'completed', GOES_ON_WITHIN_MS)
    expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
  })

  it('refunds once, although the lock of the refund is lost after the provider has carried it out', async () => {
    const deal = await escrow.paidAtProvider()
    const posted = async () => (await escrow.entries(deal.id)).filter(kind => kind === 'refund_confirmed').length
    // The refund waits until the provider is well again.
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 100 })
    expect((await escrow.act(deal.id, deal.seller, 'refund')).status).toBe(200)
    const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [deal.id])
    const sendNow = async () => {
      await escrow.row('UPDATE escrow.refund SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL RETURNING 1', [id])
      await escrow.service.app.get(RefundsService).send(id)
    }
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    await loseSessionAtWrite(escrow, 'posting', () => sendNow().catch(() => undefined))
    await eventually(async () => {
      await sendNow()
      return (await posted()) === 1
    }, GOES_ON_WITHIN_MS)
    await sendNow()
    expect(await posted()).toBe(1)
    const refunds = [...escrow.sandbox.context.state.refunds.oldestFirst()]
    expect(refunds.filter(({ intentId }) => intentId === deal.intent).map(({ amount }) => amount)).toEqual([
      deal.totalMinor,
    ])
  })

  it('books a payment once, although the lock of the deal is lost while its webhook is handled', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.confirmCard(intent)
    const report = () => escrow.webhook(succeeded(intent, deal.totalMinor, `evt_${intent}`))
    const lost = await loseSessionAtWrite(escrow, 'posting', report)
    expect([200, 503]).toContain(lost.status)
    expect((await report()).status).toBe(200)
    expect(await escrow.status(deal.id)).toBe('paid')
    expect(await escrow.entries(deal.id)).toEqual(['charge'])
  })
})

describe('two replicas that write the same deals', () => {
  const deadlocks = async () =>
    (
      await escrow.row<{ n: number }>(
        'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
      )
    ).n

  it('do not deadlock, although their batches get the commands in opposite orders', async () => {
    const ids = (await manyInInspection(escrow, DEALS)).map(deal => deal.id)
    const replica = await escrow.startReplica()
    try {
      const [one, other] = [escrow.service, replica].map(({ app }) => app.get(DealsRepository))
      const before = await deadlocks()
      const write = (repository: DealsRepository | undefined, id: number) =>
        repository
          ?.change(id, OUTAGE_ACTOR, deal => extendClock(deal, 1, new Date(0)))
          .catch(() => 'another was faster each time')
      for (let round = 0; round < ROUNDS; round++)
        await Promise.all([...ids.map(id => write(one, id)), ...ids.toReversed().map(id => write(other, id))])
      const { n } = await escrow.row<{ n: number }>(
        `SELECT count(*)::int AS n FROM escrow.clock_entry WHERE change = 'extended' AND transaction_id = ANY($1)`,
        [ids],
      )
      expect(n).toBeGreaterThan(DEALS * ROUNDS)
      // PostgreSQL publishes its counters when a session was idle for a second.
      await sleep(3_000)
      expect((await deadlocks()) - before).toBe(0)
    } finally {
      await replica.close()
    }
  })
})
