import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../dev/failure.js'
import { ROOT } from '../dev/settings.js'
import { runTask } from '../dev/task.js'
import { until } from '../dev/wait.js'

const STEP_MS = 500
/** How long effects may take, and after which pause they are looked at once more: one that comes twice may come later the second time. */
const PATIENCE = { withinMs: 90_000, againAfterMs: 5_000 }
/** A deadline may be so late, outages included. */
export const LATE_SECONDS = 90
const LOOK_EVERY_MS = 2_000

/** What is wrong with the books: lines; none when they are right. A check that could not run counts as wrong. */
export async function faultsOfBooks(processes, databaseUrl) {
  const lines = []
  try {
    await runTask(
      processes,
      'check-books',
      process.execPath,
      [path.join(ROOT, 'apps/escrow-svc/dist/check-books.js')],
      {
        env: { ...process.env, DATABASE_URL: databaseUrl },
        failure: 'The books are wrong:',
        onLine: line => lines.push(line),
      },
    )
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.message, ...lines]
  }
}

/**
 * What is wrong with the deals of a run, as sentences. Each deal of a kind had the same command, so each must have the same effects: one
 * journal entry, and as many notifications as the others. Waits until the consumers have caught up.
 * @param {Record<string, { entry: string, ids: readonly number[] }>} commands by kind
 */
export async function faultsOfDeals(database, commands, { withinMs, againAfterMs } = PATIENCE) {
  const none = Object.keys(commands).filter(kind => commands[kind].ids.length === 0)
  await until(async () => (await unevenEffects(database, commands)).length === 0, { withinMs, everyMs: STEP_MS })
  await sleep(againAfterMs)
  return [
    ...none.map(kind => `${kind}: no command succeeded`),
    ...(await unevenEffects(database, commands)),
    ...(await lateDeals(database)),
  ]
}

async function unevenEffects(database, commands) {
  const faults = []
  for (const [kind, { entry, ids }] of Object.entries(commands)) {
    for (const [count, deals] of await countsOf(database, ENTRIES, ids, [entry]))
      if (count !== 1) faults.push(`${kind}: ${deals} deals have ${count} journal entries "${entry}" instead of one`)
    const counts = await countsOf(database, NOTIFICATIONS, ids)
    if (counts.length > 1 || counts[0]?.[0] === 0)
      faults.push(`${kind}: ${counts.map(([count, deals]) => `${deals} deals have ${count} notifications`).join(', ')}`)
  }
  return faults
}

/**
 * Looks every two seconds, until the signal aborts, how far a deal is past its deadline, and resolves with the longest that was seen, in
 * seconds. While the database does not answer it looks again: after an outage each deal is still as late as it is.
 */
export async function watchDeadlines(database, signal, everyMs = LOOK_EVERY_MS) {
  let longest = 0
  while (!signal.aborted) {
    try {
      const { rows } = await database.query({ text: LATENESS, query_timeout: LOOK_EVERY_MS })
      longest = Math.max(longest, rows[0].seconds)
    } catch {
      // The database is one of the things that fail in a run.
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
  return longest
}

const LATENESS = `SELECT coalesce(max(extract(epoch FROM now() - due_at)), 0)::float8 AS seconds FROM escrow.transaction WHERE due_at < now()`

async function lateDeals(database) {
  const { rows } = await database.query(
    `SELECT count(*)::int AS late FROM escrow.transaction WHERE due_at < now() - interval '${LATE_SECONDS} seconds'`,
  )
  return rows[0].late > 0 ? [`${rows[0].late} deals are more than ${LATE_SECONDS} s past their deadline`] : []
}

const ENTRIES = 'escrow.journal_entry WHERE kind = $2 AND'
const NOTIFICATIONS = 'messaging.notifications WHERE'

/** How many of these deals have which number of rows: `[number, deals]`. @param {string} rowsOf the table and a condition */
async function countsOf(database, rowsOf, ids, values = []) {
  const { rows } = await database.query({
    text: `SELECT coalesce(counted.n, 0)::int AS n, count(*)::int AS deals FROM unnest($1::bigint[]) AS deal(id)
      LEFT JOIN (SELECT transaction_id, count(*) AS n FROM ${rowsOf} transaction_id = ANY($1) GROUP BY 1) counted
        ON counted.transaction_id = deal.id
      GROUP BY 1 ORDER BY 1`,
    values: [ids, ...values],
  })
  return rows.map(({ n, deals }) => [n, deals])
}
