import assert from 'node:assert/strict'
import { Deal, moves } from '../support/deal.js'
import { DAY_SECONDS } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'

/** How late a clock may ring on a busy machine. */
const LATENESS_MS = 30_000
const dayMs = days => days * DAY_SECONDS * 1000
const within = days => dayMs(days) + LATENESS_MS
/** Opening a deal and bringing it so far takes this long at most. */
const PREPARATION_MS = 40_000

/** Journeys that wait for a deadline. They run beside the others, each in a lane of its own. */
export const clocks = [
  journey(
    'nobody objects: the money of a delivered item is released by the clock, to the cent',
    async () => {
      // Sold as it is, the carrier's word leaves the buyer two days to say that nothing came.
      const deal = await Deal.at('inspection', { inspectionPeriod: 0 })
      const { clock } = await deal.seenBy(deal.buyer)
      assert.equal(clock.outcome, 'released')
      await deal.reaches('completed', { withinMs: within(2), everyMs: 1_000 })
      assert.deepEqual(moves(await deal.ledgerFor(deal.seller)), [
        'provider_clearing → hold 127.40',
        'hold → seller_payable 118.20',
        'hold → revenue 9.20',
      ])
      const timeline = await deal.buyer.expect(200, 'GET', `${deal.path}/timeline`)
      assert.deepEqual(
        timeline.slice(-2).map(({ status, actor }) => `${status} by ${actor}`),
        ['released by system', 'completed by system'],
      )
      const last = timeline.at(-1)
      assert.ok(last.at >= clock.dueAt, 'not a moment before it was due')
    },
    { deadlineMs: within(2) + PREPARATION_MS },
  ),
  journey(
    'nobody pays: the deal is cancelled by the clock and is gone from both lists',
    async () => {
      const deal = await Deal.open()
      const { clock } = await deal.seenBy(deal.seller)
      assert.equal(clock.kind, 'payment_window')
      const gone = async () => {
        const { status } = await deal.buyer.call('GET', deal.path)
        return status === 404
      }
      await eventually('the unpaid deal is gone', gone, { withinMs: within(1), everyMs: 1_000 })
      assert.ok(new Date().toISOString() >= clock.dueAt, 'not a moment before it was due')
      assert.deepEqual(await deal.seller.expect(200, 'GET', '/api/transactions'), [])
    },
    { deadlineMs: within(1) + PREPARATION_MS },
  ),
]
