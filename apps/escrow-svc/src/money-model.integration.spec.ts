import { eventually } from '@holdfast/testing/eventually'
import fc from 'fast-check'
import { ModelledDeal } from '../test/modelled-deal.js'
import { eventDifferences, waitingEvents } from '../test/published-events.js'
import {
  anyDeal,
  anyMove,
  DECIDED_AGAIN,
  DISPUTE_ENDED,
  LATE_REFUND_FAILS,
  OWN_DISPUTE,
  SELLER_ACCEPTS,
  SELLER_DOES_NOTHING,
  SETTLED,
} from '../test/random-moves.js'
import { RunningEscrow } from '../test/running-escrow.js'
import { ProviderFeesService } from './payments/provider-fees.service.js'
import { RefundsService } from './payments/refunds.service.js'

/** Random runs in one execution of the test. FC_RUNS raises it for a long execution. */
const RUNS = Number(process.env.FC_RUNS ?? 15)
/** What must have happened to some deal. Otherwise the moves prove nothing. */
const MUST_HAPPEN = [
  /^recordFunds$/,
  /^freeze$/,
  /^resume$/,
  /^endShipBy$/,
  /^(settlement|ruling|return)$/,
  /^chargebackFreeze$/,
  /^providerRefund/,
]
/** Only a test that hangs takes so long. */
const ENDS_WITHIN_MS = 900_000
const DEALS_AT_ONCE = 3
/** The clock of the second replica is ahead by this. */
const CLOCKS_APART_MS = 25_000
const MAX_BATCHES = 14
const MAX_MOVES_AT_ONCE = 5
const anyBatch = fc.array(fc.record({ deal: fc.nat(DEALS_AT_ONCE - 1), move: anyMove }), {
  minLength: 1,
  maxLength: MAX_MOVES_AT_ONCE,
})
const anyRun = fc.record({
  deals: fc.array(anyDeal, { minLength: DEALS_AT_ONCE, maxLength: DEALS_AT_ONCE }),
  batches: fc.array(anyBatch, { minLength: 1, maxLength: MAX_BATCHES }),
})

/** The first run, so that what seldom happens by chance happens in every execution. */
const FIRST_RUN = {
  deals: [
    ...[
      ...DECIDED_AGAIN,
      LATE_REFUND_FAILS,
      DISPUTE_ENDED,
      SETTLED,
      [...OWN_DISPUTE, { move: 'passDeadline' }] as const,
    ].map(beginning => ({ isSigned: true, beginning })),
    ...[SELLER_DOES_NOTHING, SELLER_ACCEPTS].map(beginning => ({ isSigned: false, beginning })),
  ].map(deal => ({ ...deal, asIs: false, price: '100.00' as const, card: 'pm_card_visa' as const })),
  batches: [],
}

/** Races on one deal each in one execution of the test. RACES raises it for a long execution. */
const RACES = Number(process.env.RACES ?? 40)
const RACING_DEALS = 12
const MIN_MOVES = 5
const MAX_MOVES = 8
const anyRace = fc.record({
  deal: anyDeal,
  moves: fc.array(anyMove, { minLength: MIN_MOVES, maxLength: MAX_MOVES }),
})

/**
 * Makes random moves of users, the provider, its operators, banks, the carrier, the clock and dispute-svc, many at the same time
 * and on two replicas whose clocks differ, and compares the escrow with a model and with the provider. A run that fails is printed
 * with its seed; `FC_SEED` and `FC_PATH` repeat it.
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
      // The deals of a run that failed stay in the database. They must not make the shorter runs fail that follow.
      const known = new Set<string>()
      const newOf = (faults: readonly string[]) => faults.filter(fault => known.size < known.add(fault).size)
      const result = await fc.check(
        fc.asyncProperty(anyRun, async ({ deals: wanted, batches }) => {
          const deals = await Promise.all(wanted.map(deal => ModelledDeal.open(escrow, deal)))
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
          await Promise.all(deals.map(deal => deal.sendEverything()))
          await sendRefundsAndPostFees(escrow)
          await eventually(async () => (await refundsLeftUnsent(escrow, deals)).length === 0, 30_000)
          expect(newOf(await escrow.violations())).toEqual([])
          for (const deal of deals) expect(await postedAtProvider(escrow, deal.id)).toBe(deal.atProvider.balance)
          await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, 20_000)
          expect(newOf(await eventDifferences(escrow.database.admin))).toEqual([])
        }),
        {
          numRuns: RUNS,
          examples: [[FIRST_RUN]],
          ...(process.env.FC_SEED && { seed: Number(process.env.FC_SEED) }),
          ...(process.env.FC_PATH && { path: process.env.FC_PATH }),
        },
      )
      if (result.failed) throw new Error(fc.defaultReportMessage(result), { cause: result.errorInstance })
      const missing: string[] = []
      for (const kind of MUST_HAPPEN) if ((await timelineRows(escrow, kind)) === 0) missing.push(kind.source)
      expect(missing).toEqual([])
      expect(await escrow.row(DEALS_OF_NAMED_SELLERS)).toEqual({ refunded: true, accepted: true })
      expect(await escrow.row('SELECT count(*) > 0 AS made FROM escrow.payout')).toEqual({ made: true })
      expect(
        await escrow.row(`SELECT count(*) > 0 AS made FROM escrow.journal_entry WHERE kind = 'chargeback_returned'`),
      ).toEqual({ made: true })
    },
    ENDS_WITHIN_MS,
  )

  // Many moves of one deal at the same time, and many deals at once. A failure names its seed, which RACES_SEED repeats.
  it(
    'is left by hundreds of racing commands as some order of them would leave it, with true answers and every event',
    async () => {
      const seed = Number(process.env.RACES_SEED ?? Date.now() % 1_000_000)
      const races = fc.sample(anyRace, { seed, numRuns: RACES })[Symbol.iterator]()
      const raceOn = async () => {
        for (const { deal: wanted, moves } of races) {
          const deal = await ModelledDeal.open(escrow, wanted)
          for (const move of wanted.beginning) await deal.make([move])
          await deal.make(moves)
          await deal.sendEverything()
        }
      }
      const done = await Promise.allSettled(Array.from({ length: RACING_DEALS }, raceOn))
      const failed = done.find(each => each.status === 'rejected')
      if (failed) throw new Error(`RACES_SEED=${seed}`, { cause: failed.reason })
      await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, 20_000)
      expect(await escrow.violations()).toEqual([])
      expect(await eventDifferences(escrow.database.admin)).toEqual([])
    },
    ENDS_WITHIN_MS,
  )
})

/** Whether some deal that a buyer opened by naming a seller was refunded because the seller did nothing, and another was accepted by them. */
const DEALS_OF_NAMED_SELLERS = `SELECT
    coalesce(bool_or(EXISTS (SELECT FROM escrow.timeline s WHERE s.transaction_id = deal.id AND s.kind = 'endShipBy')), false) AS refunded,
    coalesce(bool_or(EXISTS (SELECT FROM escrow.acceptance a WHERE a.transaction_id = deal.id AND a.party = 'seller')), false) AS accepted
  FROM escrow.transaction deal WHERE deal.terms ->> 'signedBy' = 'buyer'`

/** How many steps of a kind the timelines have. */
async function timelineRows(escrow: RunningEscrow, kind: RegExp): Promise<number> {
  const { n } = await escrow.row<{ n: number }>('SELECT count(*)::int AS n FROM escrow.timeline WHERE kind ~ $1', [
    kind.source,
  ])
  return n
}

/** Sends every refund and posts every provider fee, each twice at the same time, as two replicas might. */
async function sendRefundsAndPostFees(escrow: RunningEscrow): Promise<void> {
  const { app } = escrow.service
  const soon = 60_000
  const refunds = app.get(RefundsService)
  const fees = app.get(ProviderFeesService)
  // A refund that the provider has refused pauses, and could be accepted now.
  await escrow.row('UPDATE escrow.refund SET due_at = now() WHERE due_at IS NOT NULL RETURNING 1', [])
  await Promise.all((await refunds.due(soon, 100)).flatMap(({ id }) => [refunds.send(id), refunds.send(id)]))
  await escrow.row('UPDATE escrow.payment SET fee_due_at = now() WHERE fee_due_at IS NOT NULL RETURNING 1', [])
  await Promise.all((await fees.due(soon, 100)).flatMap(({ id }) => [fees.record(id), fees.record(id)]))
}

/** The refunds that are still to be sent although the provider takes them, and those that are sent and not recorded. */
async function refundsLeftUnsent(escrow: RunningEscrow, deals: readonly ModelledDeal[]): Promise<unknown[]> {
  const { rows } = await escrow.database.admin.query<{ id: string; deal: number; intent: string; amount: number }>(
    `SELECT r.id, r.transaction_id::int AS deal, p.intent_id AS intent, r.amount_minor::int AS amount
     FROM escrow.refund r JOIN escrow.payment p ON p.id = r.payment_id WHERE r.status = 'due'`,
  )
  return rows.filter(({ id, deal, intent, amount }) =>
    deals.find(each => each.id === deal)?.atProvider.takes(id, intent, amount),
  )
}

/** The money that the provider has for a deal by our ledger, without its fees, in minor units. */
async function postedAtProvider(escrow: RunningEscrow, id: number): Promise<number> {
  const { sum } = await escrow.row<{ sum: string }>(
    `SELECT coalesce(sum(CASE WHEN p.debit = 'provider_clearing' THEN p.amount_minor ELSE -p.amount_minor END), 0) AS sum
     FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
     WHERE e.transaction_id = $1 AND e.kind NOT IN ('provider_fee', 'chargeback_fee', 'chargeback_fee_returned') AND 'provider_clearing' IN (p.debit, p.credit)`,
    [id],
  )
  return Number(sum)
}
