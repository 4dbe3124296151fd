// Fills an empty database with deals as years of use would have left them, in the tables of every service.
import pg from 'pg'
import { DISPUTE_ROWS } from './dispute-rows.js'
import { DEALS, ESCROW_ROWS, FREE_DEALS, LEDGER_ROWS } from './escrow-rows.js'
import { EVENT_ROWS, PUBLISHED } from './event-rows.js'
import { LISTING_ROWS } from './listing-rows.js'
import { CHAT_ROWS, NOTIFICATION_ROWS } from './messaging-rows.js'
import { PEOPLE_ROWS } from './people-rows.js'

/** Parts that need nothing of each other, the long ones first. The statements of a part need their order. */
const PARTS = [
  ESCROW_ROWS,
  CHAT_ROWS,
  LEDGER_ROWS,
  LISTING_ROWS,
  NOTIFICATION_ROWS,
  EVENT_ROWS,
  PEOPLE_ROWS,
  DISPUTE_ROWS,
]
const SCHEMAS = ['identity', 'listing', 'escrow', 'dispute', 'messaging', 'events']
/** How many connections work at the same time. */
const WORKERS = 3

// The rows refer to each other by their making, so the checks of foreign keys would only cost time.
const SESSION =
  `-c synchronous_commit=off -c session_replication_role=replica -c work_mem=128MB -c maintenance_work_mem=512MB
  -c max_parallel_maintenance_workers=0`.replace(/\s+/g, ' ')

/** What the server is started with while it is filled: when it fails, the run begins again. */
export const FILL_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '2GB',
  shared_buffers: '1GB',
}

/**
 * Writes `count` deals and everything that belongs to them. No service may be running. Indexes are removed before and built
 * again after it, since that is faster.
 * @param {object} server what the database's owner needs to log in
 */
export async function fill(server, count, note) {
  const pool = new pg.Pool({ ...server, max: WORKERS, options: SESSION })
  // The server is stopped at once, so a connection that is just being closed may still hear of it. Nothing runs on it then.
  pool.on('error', error => {
    if (!pool.ending) throw error
  })
  try {
    const indexes = await takeIndexes(pool)
    note('deals')
    for (const statement of DEALS) await pool.query(statement(count))
    note('rows of the services')
    await share(PARTS, part => inOrder(pool, part, count))
    for (const statement of [...PUBLISHED, ...FREE_DEALS]) await pool.query(statement)
    note('indexes')
    await share(indexes, index => pool.query(index))
    note('statistics')
    await share(await tables(pool), table => pool.query(`VACUUM ANALYZE ${table}`))
    await pool.query('CHECKPOINT')
  } finally {
    await pool.end()
  }
}

async function inOrder(pool, statements, count) {
  const client = await pool.connect()
  try {
    for (const statement of statements) await client.query(statement(count))
  } finally {
    client.release()
  }
}

/** Does each piece of work, `WORKERS` at a time. They are begun in order. */
async function share(pieces, work) {
  const waiting = [...pieces]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
}

/** Removes the indexes that no constraint needs. Answers the statements that build them, those of large tables first. */
async function takeIndexes(pool) {
  const { rows } = await pool.query(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
       JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace::regnamespace::text = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
       AND c.relname IN ('listing', 'notifications', 'messages', 'transaction', 'timeline', 'clock_entry', 'posting', 'journal_entry',
         'payment', 'payout', 'payout_deal', 'deals', 'mail', 'legal_acceptance')
     ORDER BY array_position(ARRAY['listing', 'notifications', 'messages', 'transaction'], c.relname::text) NULLS LAST, 1`,
    [SCHEMAS],
  )
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`)
  return rows.map(({ definition }) => definition)
}

async function tables(pool) {
  const { rows } = await pool.query(
    `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text = ANY($1)
     ORDER BY pg_relation_size(c.oid) DESC`,
    [SCHEMAS],
  )
  return rows.map(({ name }) => name)
}
