import { setTimeout as sleep } from 'node:timers/promises'

/** How many deals a race is run on at the same time, and by how much one of the two moves is earlier at most. */
const AT_ONCE = 20
const MAX_LEAD_MS = 20

/** Starts a move, or waits until the other one has its lead. */
interface Lead {
  one<R>(move: () => Promise<R>): Promise<R>
  other<R>(move: () => Promise<R>): Promise<R>
}

/**
 * Prepares and runs a race on many deals. The first move leads by all times up to the longest, then the second one does, so that
 * each wins sometimes.
 *
 * @param races on how many deals
 * @param prepare makes a deal, and answers what runs the race on it
 */
export async function raceInBatches(
  races: number,
  prepare: () => Promise<(lead: Lead) => Promise<void>>,
): Promise<void> {
  for (let n = 0; n < races; n += AT_ONCE) {
    const runs = await Promise.all(Array.from({ length: AT_ONCE }, prepare))
    await Promise.all(runs.map((run, i) => run(leadOf(MAX_LEAD_MS * ((2 * (n + i)) / races - 1)))))
  }
}

const leadOf = (ms: number): Lead => ({
  one: async move => {
    if (ms < 0) await sleep(-ms)
    return move()
  },
  other: async move => {
    if (ms > 0) await sleep(ms)
    return move()
  },
})
