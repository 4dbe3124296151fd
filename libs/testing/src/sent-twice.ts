import type pg from 'pg'
import { eventually } from './eventually.js'

/** Any number that nothing else locks. */
const LOCK = 128_128
/** The sessions that wait for a lock of the session $1. */
const WAITING =
  'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY(pg_blocking_pids(pid))'

/**
 * Sends a request to a service twice, as the gateway does when the replica that got it hangs. The first one hangs in the middle of its
 * dbTx: it has done its work and written its idempotency key, so it holds all locks, and has not committed. The second one waits for it.
 *
 * @param admin connections of the database's owner
 * @param schema the service's schema
 * @param end what becomes of the first one: its replica `goes on`, or its session `is ended` by PostgreSQL, as after some silence
 * @returns the answers to both, that to the first one first
 */
export async function sentTwice<A>(
  admin: pg.Pool,
  schema: string,
  end: 'goes on' | 'is ended',
  send: () => Promise<A>,
): Promise<[A, A]> {
  const client = await admin.connect()
  const waitingFor = (pid: number) =>
    eventually(async () => (await client.query<{ pid: number }>(WAITING, [pid])).rows[0]?.pid)
  try {
    // The limit for waiting holds for the second request alone: the first one does not wait in truth, its replica hangs.
    await client.query(`CREATE FUNCTION ${schema}.hang() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET lock_timeout = 0 AS 'BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN NULL; END'`)
    await client.query(`CREATE TRIGGER hang AFTER INSERT ON ${schema}.idempotency_key
      FOR EACH ROW EXECUTE FUNCTION ${schema}.hang()`)
    const { pid } = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const first = send()
    const hanging = await waitingFor(pid)
    const second = send()
    await waitingFor(hanging)
    if (end === 'is ended') await client.query('SELECT pg_terminate_backend($1)', [hanging])
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK])
    return await Promise.all([first, second])
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()')
    await client.query(`DROP FUNCTION ${schema}.hang CASCADE`)
    client.release()
  }
}
