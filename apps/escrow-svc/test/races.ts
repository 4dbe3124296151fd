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
 * Prepares and runs a race on many deals. The second move leads by all times up to the longest, then the first one does. With the
 * longest lead a move has ended before the other begins, so each wins at least once on a machine of any speed.
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
    await Promise.all(runs.map((run, i) => run(leadOf(MAX_LEAD_MS * ((2 * (n + i)) / (races - 1) - 1)))))
  }
}

function leadOf(ms: number): Lead {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const earlier: Lead['one'] = move => move().finally(end)
  const later: Lead['one'] = async move => {
    await (Math.abs(ms) === MAX_LEAD_MS ? ended : sleep(Math.abs(ms)))
    return move()
  }
  return ms < 0 ? { one: later, other: earlier } : { one: earlier, other: later }
}
