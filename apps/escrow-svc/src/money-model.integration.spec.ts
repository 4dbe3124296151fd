import { eventually } from '@holdfast/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Move, Who } from '../test/deal-model.js'
import { eventDifferences, waitingEvents } from '../test/invariants.js'
import { ModelledDeal } from '../test/modelled-deal.js'
import { RunningEscrow } from '../test/running-escrow.js'
import { ProviderFeesService } from './payments/provider-fees.service.js'
import { RefundsService } from './payments/refunds.service.js'

/** Random runs in one execution of the test. FC_RUNS raises it for a long execution. */
const RUNS = Number(process.env.FC_RUNS ?? 25)
/** No further run is started after this time. */
const TIME_LIMIT_MS = Number(process.env.FC_TIME_LIMIT_MS ?? 40_000)
const DEALS_AT_ONCE = 3
/** The clock of the second replica is ahead by this. */
const CLOCKS_APART_MS = 25_000
const MAX_BATCHES = 14
const MAX_MOVES_AT_ONCE = 5

/** Moves that bring a deal to some state, before the random moves. */
const BEGINNINGS: readonly (readonly Move[])[] = [
  [],
  [{ move: 'pay', who: 'buyer', key: 'first' }],
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'payAtProvider', good: true },
  ],
  [{ move: 'pay', who: 'buyer', key: 'first' }, { move: 'payAtProvider', good: true }, { move: 'webhookSucceeded' }],
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'payAtProvider', good: true },
    { move: 'webhookSucceeded' },
    { move: 'saveTracking', who: 'seller', key: null },
  ],
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'payAtProvider', good: true },
    { move: 'webhookSucceeded' },
    { move: 'confirmDelivery', who: 'buyer', key: null },
  ],
  // A dispute has ended. Calls that freeze the deal for it may still arrive.
  [
    { move: 'pay', who: 'buyer', key: 'first' },
    { move: 'payAtProvider', good: true },
    { move: 'webhookSucceeded' },
    { move: 'saveTracking', who: 'seller', key: null },
    { move: 'freeze', who: 'buyer', dispute: 1 },
    { move: 'resume', dispute: 1 },
  ],
]

const key = fc.constantFrom(null, 'k1', 'k2')
/** Mostly the party who may give the command. */
const mostly = (who: Who): fc.Arbitrary<Who> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(who) }, fc.constantFrom<Who>('buyer', 'seller', 'stranger'))
const commandBy = (
  move: 'cancel' | 'accept' | 'confirmDelivery' | 'saveTracking' | 'refund',
  who: Who,
): fc.Arbitrary<Move> => fc.record({ move: fc.constant(move), who: mostly(who), key })
/** A few, so that calls for one dispute are repeated, come in another order, and come after its end. */
const dispute = fc.constantFrom(1, 2, 3)

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ move: fc.constant('pay'), who: mostly('buyer'), key: fc.constantFrom('p1', 'p2') }),
  },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('payAtProvider'), good: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant<Move>({ move: 'webhookSucceeded' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'webhookDeclined' }) },
  { weight: 1, arbitrary: commandBy('cancel', 'buyer') },
  { weight: 1, arbitrary: commandBy('cancel', 'seller') },
  { weight: 3, arbitrary: commandBy('saveTracking', 'seller') },
  { weight: 1, arbitrary: fc.record({ move: fc.constant('handover'), who: mostly('seller') }) },
  { weight: 3, arbitrary: commandBy('confirmDelivery', 'buyer') },
  { weight: 3, arbitrary: commandBy('accept', 'buyer') },
  { weight: 2, arbitrary: commandBy('refund', 'seller') },
  { weight: 2, arbitrary: fc.constant<Move>({ move: 'passDeadline' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'fireTimers' }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: 'webhookDelivered' }) },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('freeze'), who: mostly('buyer'), dispute }) },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('resume'), dispute }) },
)

const anyDeal = fc.record({
  asIs: fc.boolean(),
  price: fc.constantFrom('100.00', '0.50', '33.33', '12345.67'),
  beginning: fc.constantFrom(...BEGINNINGS),
})
const anyBatch = fc.array(fc.record({ deal: fc.nat(DEALS_AT_ONCE - 1), move: anyMove }), {
  minLength: 1,
  maxLength: MAX_MOVES_AT_ONCE,
})
const anyRun = fc.record({
  deals: fc.array(anyDeal, { minLength: DEALS_AT_ONCE, maxLength: DEALS_AT_ONCE }),
  batches: fc.array(anyBatch, { minLength: 1, maxLength: MAX_BATCHES }),
})

/**
 * Makes random moves of users, the provider, the carrier, the clock and dispute-svc, many at the same time and on two replicas
 * whose clocks differ, and compares the escrow with a model and with the provider. A run that fails is printed with its seed; `FC_SEED` and `FC_PATH` repeat it.
 */
describe('the escrow under random moves', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    await escrow.addReplica(CLOCKS_APART_MS)
  })
  afterAll(() => escrow.stop())

  it(
    'never loses or doubles a cent, posts each to the right account, and answers as the model does',
    async () => {
      const result = await fc.check(
        fc.asyncProperty(anyRun, async ({ deals: wanted, batches }) => {
          const deals = await Promise.all(wanted.map(({ asIs, price }) => ModelledDeal.open(escrow, asIs, price)))
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
          for (const deal of deals) await deal.deliverMissingWebhooks()
          await sendRefundsAndPostFees(escrow)
          expect(await escrow.violations()).toEqual([])
          for (const deal of deals) expect(await postedAtProvider(escrow, deal.id)).toBe(deal.balanceAtProvider)
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

/** Sends every refund and posts every provider fee, each twice at the same time, as two replicas might. */
async function sendRefundsAndPostFees(escrow: RunningEscrow): Promise<void> {
  const { app } = escrow.service
  const soon = 60_000
  const refunds = app.get(RefundsService)
  const fees = app.get(ProviderFeesService)
  await Promise.all((await refunds.due(soon, 100)).flatMap(({ id }) => [refunds.send(id), refunds.send(id)]))
  await escrow.row('UPDATE escrow.payment SET fee_due_at = now() WHERE fee_due_at IS NOT NULL RETURNING 1', [])
  await Promise.all((await fees.due(soon, 100)).flatMap(({ id }) => [fees.record(id), fees.record(id)]))
  await eventually(async () => (await refunds.due(3_600_000, 1)).length === 0, 30_000)
}

/** The money that the provider has for a deal by our ledger, without its fees, in minor units. */
async function postedAtProvider(escrow: RunningEscrow, id: number): Promise<number> {
  const { sum } = await escrow.row<{ sum: string }>(
    `SELECT coalesce(sum(CASE WHEN p.debit = 'provider_clearing' THEN p.amount_minor ELSE -p.amount_minor END), 0) AS sum
     FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
     WHERE e.transaction_id = $1 AND e.kind <> 'provider_fee' AND 'provider_clearing' IN (p.debit, p.credit)`,
    [id],
  )
  return Number(sum)
}
