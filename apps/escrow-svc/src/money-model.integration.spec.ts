import { eventually } from '@holdfast/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { eventDifferences, waitingEvents } from '../test/books.js'
import type { Move, Who } from '../test/deal-model.js'
import { DealInWorld } from '../test/deal-world.js'
import { RunningEscrow } from '../test/running-escrow.js'
import { ProviderFeesService } from './payments/provider-fees.service.js'
import { RefundsService } from './payments/refunds.service.js'

/** Random lives in one run of the tests; FC_RUNS raises it for a night's watch. */
const RUNS = Number(process.env.FC_RUNS ?? 25)
/** After this no further life is begun, however many are left. */
const TIME_LIMIT_MS = Number(process.env.FC_TIME_LIMIT_MS ?? 40_000)
const DEALS_AT_ONCE = 3
const MOST_BATCHES = 14
const MOST_AT_ONCE = 5

/** How far a deal is helped along before chance takes over. */
const BEGINNINGS: readonly (readonly Move[])[] = [
  [],
  [{ move: 'pay', who: 'buyer', key: 'first' }],
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'card', good: true },
  ],
  [{ move: 'pay', who: 'buyer', key: 'first' }, { move: 'card', good: true }, { move: 'tellSucceeded' }],
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'card', good: true },
    { move: 'tellSucceeded' },
    { move: 'track', who: 'seller', key: null },
  ],
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'card', good: true },
    { move: 'tellSucceeded' },
    { move: 'confirm', who: 'buyer', key: null },
  ],
]

const key = fc.constantFrom(null, 'k1', 'k2')
/** Mostly the one who may. */
const mostly = (who: Who): fc.Arbitrary<Who> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(who) }, fc.constantFrom<Who>('buyer', 'seller', 'stranger'))
const commandBy = (move: 'cancel' | 'accept' | 'confirm' | 'track' | 'refund', who: Who): fc.Arbitrary<Move> =>
  fc.record({ move: fc.constant(move), who: mostly(who), key })
const dispute = fc.constantFrom(1, 2)

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ move: fc.constant('pay'), who: mostly('buyer'), key: fc.constantFrom('p1', 'p2') }),
  },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('card'), good: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant<Move>({ move: 'tellSucceeded' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'tellDeclined' }) },
  { weight: 1, arbitrary: commandBy('cancel', 'buyer') },
  { weight: 1, arbitrary: commandBy('cancel', 'seller') },
  { weight: 3, arbitrary: commandBy('track', 'seller') },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('handover'), who: mostly('seller') }) },
  { weight: 3, arbitrary: commandBy('confirm', 'buyer') },
  { weight: 3, arbitrary: commandBy('accept', 'buyer') },
  { weight: 2, arbitrary: commandBy('refund', 'seller') },
  { weight: 2, arbitrary: fc.constant<Move>({ move: 'passTime' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'ring' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'deliver' }) },
  { weight: 2, arbitrary: fc.record({ move: fc.constant('freeze'), who: mostly('buyer'), dispute }) },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('resume'), dispute }) },
)

const anyDeal = fc.record({
  asIs: fc.boolean(),
  price: fc.constantFrom('100.00', '0.50', '33.33', '12345.67'),
  beginning: fc.constantFrom(...BEGINNINGS),
})
const anyBatch = fc.array(fc.record({ deal: fc.nat(DEALS_AT_ONCE - 1), move: anyMove }), {
  minLength: 1,
  maxLength: MOST_AT_ONCE,
})
const anyLife = fc.record({
  deals: fc.array(anyDeal, { minLength: DEALS_AT_ONCE, maxLength: DEALS_AT_ONCE }),
  batches: fc.array(anyBatch, { minLength: 1, maxLength: MOST_BATCHES }),
})

/**
 * Whatever people, the provider, the carrier, the clock and mediation do, in whatever order and at the same time, the
 * money is where the rules say. A life that fails is printed with its seed; `FC_SEED` and `FC_PATH` replay it.
 */
describe('the escrow, lived in at random', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  it(
    'never loses, doubles or misplaces a cent, and tells everybody the truth',
    async () => {
      const result = await fc.check(
        fc.asyncProperty(anyLife, async ({ deals: wanted, batches }) => {
          const deals = await Promise.all(wanted.map(({ asIs, price }) => DealInWorld.open(escrow, asIs, price)))
          await Promise.all(
            deals.map(async (deal, i) => {
              for (const move of wanted[i]?.beginning ?? []) await deal.make([move])
            }),
          )
          for (const batch of batches)
            await Promise.all(
              deals.map((deal, i) => {
                const moves = batch.filter(each => each.deal === i).map(each => each.move)
                return moves.length > 0 ? deal.make(moves) : undefined
              }),
            )
          for (const deal of deals) await deal.hearEverything()
          await settleWithProvider(escrow)
          expect(await escrow.imbalances()).toEqual([])
          for (const deal of deals) expect(await bookedAtProvider(escrow, deal.id)).toBe(deal.atProvider)
          await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, 20_000)
          expect(await eventDifferences(escrow.database.admin)).toEqual([])
        }),
        {
          numRuns: RUNS,
          interruptAfterTimeLimit: TIME_LIMIT_MS,
          ...(process.env.FC_SEED && { seed: Number(process.env.FC_SEED) }),
          ...(process.env.FC_PATH && { path: process.env.FC_PATH }),
        },
      )
      if (result.failed) throw new Error(fc.defaultReportMessage(result), { cause: result.errorInstance })
      expect(result.numRuns).toBeGreaterThan(0)
    },
    TIME_LIMIT_MS * 4,
  )
})

/** Sends every refund and asks for every fee that is due, as two replicas would at the same moment. */
async function settleWithProvider(escrow: RunningEscrow): Promise<void> {
  const { app } = escrow.service
  const soon = new Date(Date.now() + 60_000)
  const refunds = app.get(RefundsService)
  const fees = app.get(ProviderFeesService)
  await Promise.all((await refunds.due(soon, 100)).flatMap(({ id }) => [refunds.send(id), refunds.send(id)]))
  await escrow.row('UPDATE escrow.payment SET fee_due_at = now() WHERE fee_due_at IS NOT NULL RETURNING 1', [])
  await Promise.all((await fees.due(soon, 100)).flatMap(({ id }) => [fees.record(id), fees.record(id)]))
  await eventually(async () => (await refunds.due(new Date(Date.now() + 3_600_000), 1)).length === 0, 30_000)
}

/** What our books say the provider has of a deal, its own fees aside. */
async function bookedAtProvider(escrow: RunningEscrow, id: number): Promise<number> {
  const { sum } = await escrow.row<{ sum: string }>(
    `SELECT coalesce(sum(CASE WHEN p.debit = 'provider_clearing' THEN p.amount_minor ELSE -p.amount_minor END), 0) AS sum
     FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
     WHERE e.transaction_id = $1 AND e.kind <> 'provider_fee' AND 'provider_clearing' IN (p.debit, p.credit)`,
    [id],
  )
  return Number(sum)
}
