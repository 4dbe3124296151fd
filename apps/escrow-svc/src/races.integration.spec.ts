import { eventually } from '@holdfast/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { eventDifferences, waitingEvents } from '../test/invariants.js'
import { ModelledDeal } from '../test/modelled-deal.js'
import { anyDeal, anyMove } from '../test/random-moves.js'
import { RunningEscrow } from '../test/running-escrow.js'

/** No further race is started after this time. RACES_MS raises it for a long execution. */
const TIME_LIMIT_MS = Number(process.env.RACES_MS ?? 6_000)
const MAX_RACES = 20_000
/** A machine that makes fewer commands at the same time proves nothing: then the test fails. */
const MIN_COMMANDS = 200
const DEALS_AT_ONCE = 12
const MIN_MOVES = 5
const MAX_MOVES = 8
const START_WITHIN_MS = 60_000
const CLOCKS_APART_MS = 25_000

const anyRace = fc.record({
  deal: anyDeal,
  moves: fc.array(anyMove, { minLength: MIN_MOVES, maxLength: MAX_MOVES }),
})

/**
 * Makes many moves of one deal at the same time, on two replicas, with many deals at once: users, the provider, dispute-svc and
 * timers. The model says whether the answers and the stored state fit some order of the moves. A failure names its seed, which
 * RACES_SEED repeats.
 */
describe('thousands of commands that race for the same deals on two replicas', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    await escrow.addReplica(CLOCKS_APART_MS)
  }, START_WITHIN_MS)
  afterAll(() => escrow.stop())

  it(
    'leave each deal as some order of them would, with true answers, books that balance, and every event',
    async () => {
      const seed = Number(process.env.RACES_SEED ?? Date.now() % 1_000_000)
      const races = fc.sample(anyRace, { seed, numRuns: MAX_RACES })[Symbol.iterator]()
      const end = Date.now() + TIME_LIMIT_MS
      let commands = 0
      const raceOn = async () => {
        for (const { deal: wanted, moves } of races) {
          if (Date.now() > end) return
          const deal = await ModelledDeal.open(escrow, wanted)
          for (const move of wanted.beginning) await deal.make([move])
          await deal.make(moves)
          commands += moves.length
          await deal.sendEverything()
        }
      }
      const done = await Promise.allSettled(Array.from({ length: DEALS_AT_ONCE }, raceOn))
      const failed = done.find(each => each.status === 'rejected')
      if (failed) throw new Error(`RACES_SEED=${seed}`, { cause: failed.reason })
      expect(commands).toBeGreaterThan(MIN_COMMANDS)
      await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, 20_000)
      expect(await escrow.violations()).toEqual([])
      expect(await eventDifferences(escrow.database.admin)).toEqual([])
    },
    TIME_LIMIT_MS + 60_000,
  )
})
