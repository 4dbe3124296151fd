import { eventually } from '@holdfast/testing/eventually'
import type { RunningEscrow } from './running-escrow.js'

const WAITS_WITHIN_MS = 20_000

/** The sessions of the service that wait for a lock of the session $1. */
const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE usename = 'escrow_svc' AND datname = current_database() AND $1 = ANY(pg_blocking_pids(pid))`

/**
 * Starts `work`, and ends the session of the service that does it at its write to `table`: after it has taken its locks, and
 * before anything is committed.
 *
 * @returns what `work` returns. The service may have tried again on another session
 */
export async function loseSessionAtWrite<T>(
  { database: { admin } }: RunningEscrow,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = await admin.connect()
  try {
    await client.query('BEGIN')
    await client.query(`LOCK TABLE escrow.${table} IN SHARE MODE`)
    const { pid } = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!
    const working = work()
    // Handled here too, so that a rejection before the end of this function is not reported as unhandled.
    working.catch(() => undefined)
    const sessions = await eventually(async () => {
      const { rows } = await admin.query<{ pid: number }>(WAITING, [pid])
      return rows.length > 0 ? rows : null
    }, WAITS_WITHIN_MS)
    for (const session of sessions) await client.query('SELECT pg_terminate_backend($1)', [session.pid])
    await client.query('ROLLBACK')
    return await working
  } finally {
    client.release(true)
  }
}
