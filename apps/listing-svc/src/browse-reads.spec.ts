import type pg from 'pg'
import { ReplicaReads } from './browse-reads.js'
import type { ListingConfig } from './config.js'

const REPLICAS = { 'listing-svc': 2 } as ListingConfig['REPLICAS']

/** A pool that answers each statement with the rows of the text that is in it. */
const answering = (rows: Record<string, object>) => {
  const query = async (statement: string | { text: string }) => ({
    rows: Object.entries(rows).flatMap(([part, row]) => (JSON.stringify(statement).includes(part) ? [row] : [])),
  })
  return { query } as unknown as pg.Pool
}

test.each([
  { of: 'enough connections', max: 6, asked: 'replica' },
  { of: 'too few connections', max: 7, asked: 'primary' },
])('in production, a replica that allows $of: the $asked is asked', async ({ max, asked }) => {
  const limits = { role: 'listing_svc', database: 'holdfast', server: 12, role_limit: -1, database_limit: -1 }
  const replica = answering({
    pg_last_wal_replay_lsn: { has: true },
    max_connections: limits,
    listing: { at: 'replica' },
  })
  const primary = answering({ pg_current_wal_flush_lsn: { lsn: '0/1' }, listing: { at: 'primary' } })
  const reads = new ReplicaReads(replica, primary, max, { REPLICAS, NODE_ENV: 'production' })
  await reads.run()
  expect((await reads.query({ text: 'SELECT FROM listing' })).rows).toEqual([{ at: asked }])
})
