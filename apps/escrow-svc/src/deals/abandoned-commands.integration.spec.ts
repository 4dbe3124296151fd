import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@holdfast/testing/eventually'
import { RunningEscrow } from '../../test/running-escrow.js'

/** Longer than a request that has arrived takes to its first statement, and the service to see that a caller has left. */
const WAITS_MS = 500

describe('a command whose caller leaves while it waits', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  it('does nothing, and the commands whose callers wait are carried out', async () => {
    const [first, left, stays] = [await escrow.inInspection(), await escrow.inInspection(), await escrow.inInspection()]
    const leaving = new AbortController()
    const accept = (deal: typeof first, signal?: AbortSignal) =>
      escrow.request('POST', `/api/transactions/${deal.id}/accept`, { actor: deal.buyer, ...(signal && { signal }) })
    let arrived = 0
    escrow.service.app.getHttpServer().on('request', () => arrived++)
    const untilArrived = async (count: number) => {
      await eventually(() => arrived === count)
      await sleep(WAITS_MS)
    }
    const lock = await escrow.database.admin.connect()
    await lock.query('BEGIN; LOCK TABLE escrow.transaction IN ACCESS EXCLUSIVE MODE')
    try {
      // The first command's statement waits for the lock, and the others wait for their turn.
      const begun = accept(first)
      await untilArrived(1)
      const abandoned = accept(left, leaving.signal)
      await untilArrived(2)
      const waits = accept(stays)
      await untilArrived(3)
      leaving.abort()
      await expect(abandoned).rejects.toThrow('aborted')
      await sleep(WAITS_MS)
      await lock.query('ROLLBACK')
      expect([(await begun).status, (await waits).status]).toEqual([200, 200])
    } finally {
      lock.release()
    }
    await sleep(WAITS_MS)
    expect(await Promise.all([first, left, stays].map(({ id }) => escrow.status(id)))).toEqual([
      'completed',
      'inspection',
      'completed',
    ])
    expect(await escrow.violations()).toEqual([])
  })
})
