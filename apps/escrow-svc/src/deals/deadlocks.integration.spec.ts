import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manyInInspection } from '../../test/many-deals.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { DealsRepository } from './deals.repository.js'
import { OUTAGE_ACTOR } from './domain/deal.js'
import { extendClock } from './domain/decisions.js'

const DEALS = 48
const ROUNDS = 30

describe('two replicas that write the same deals', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const deadlocks = async () =>
    (
      await escrow.row<{ n: number }>(
        'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
      )
    ).n

  it('do not wait for each other in a circle, although their batches have opposite orders', async () => {
    const ids = (await manyInInspection(escrow, DEALS)).map(deal => deal.id)
    const replica = await escrow.startReplica()
    try {
      const [one, other] = [escrow.service, replica].map(({ app }) => app.get(DealsRepository))
      const before = await deadlocks()
      const write = (repository: DealsRepository | undefined, id: number) =>
        repository?.change(id, OUTAGE_ACTOR, deal => extendClock(deal, 1)).catch(() => 'another was faster each time')
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
      expect(await escrow.violations()).toEqual([])
    } finally {
      await replica.close()
    }
  })
})
