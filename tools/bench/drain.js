import { setTimeout as sleep } from 'node:timers/promises'

const STEP_MS = 50
const DEADLINE_MS = 300_000

/** Seconds from the end of the load until the relay and every consumer have handled its events. */
export async function drainSeconds(database) {
  const began = performance.now()
  while (await isBehind(database)) {
    if (performance.now() - began > DEADLINE_MS) throw new Error('the consumers do not catch up')
    await sleep(STEP_MS)
  }
  return (performance.now() - began) / 1000
}

async function isBehind(database) {
  const { rows } = await database.query(`SELECT
    EXISTS (SELECT FROM escrow.outbox) OR EXISTS (
      SELECT FROM events.cursor c JOIN events.head h USING (topic, partition) WHERE c.position < h.next - 1
    ) AS behind`)
  return rows[0].behind
}
