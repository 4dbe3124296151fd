import assert from 'node:assert/strict'
import { Deal, moves } from '../support/deal.js'
import { DAY_SECONDS } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'

/** How late a deadline may be acted on by a busy machine. */
const LATENESS_MS = 30_000
const dayMs = days => days * DAY_SECONDS * 1000
const within = days => dayMs(days) + LATENESS_MS
/** The longest time for opening a deal and bringing it to the status at which its clock runs. */
const PREPARATION_MS = 40_000

/** Journeys that wait for a deadline. Each has its own lane, so that it does not delay the others. */
export const clocks = [
  journey(
    'when no party acts after the delivery, the clock releases the money to the cent',
    async () => {
      // The item is sold as is. After the carrier's report of the delivery the buyer has two days to object.
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
      assert.ok(last.at >= clock.dueAt, 'not before it was due')
    },
    { deadlineMs: within(2) + PREPARATION_MS },
  ),
  journey(
    'when the buyer does not pay, the clock cancels the deal and it leaves the lists of both parties',
    async () => {
      const deal = await Deal.open()
      const { clock } = await deal.seenBy(deal.seller)
      assert.equal(clock.kind, 'payment_window')
      const isGone = async () => {
        const { status } = await deal.buyer.call('GET', deal.path)
        return status === 404
      }
      await eventually('the unpaid deal is gone', isGone, { withinMs: within(1), everyMs: 1_000 })
      assert.ok(new Date().toISOString() >= clock.dueAt, 'not before it was due')
      assert.deepEqual(await deal.seller.expect(200, 'GET', '/api/transactions'), [])
    },
    { deadlineMs: within(1) + PREPARATION_MS },
  ),
]
