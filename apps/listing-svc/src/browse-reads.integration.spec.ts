import type { Listing } from '@holdfast/contracts/listings'
import { person, RunningListing } from '../test/running-listing.js'
import { BROWSE_READS, type ReplicaReads } from './browse-reads.js'

const [ana, ben] = [person('Ana'), person('Ben')]

// The replica is another database of the same server, with other listings. So its titles show which one was asked.
let replica: RunningListing
let service: RunningListing
beforeAll(async () => {
  replica = await RunningListing.start()
  await replica.created(ana, { title: 'at the replica' })
  await asAdmin('ALTER FUNCTION pg_catalog.pg_last_wal_replay_lsn() RENAME TO replayed_by_a_real_standby')
  await replays('pg_current_wal_flush_lsn()')
  service = await RunningListing.start({ DATABASE_READ_URL: replica.database.url('listing_svc') })
  await service.created(ana, { title: 'at the primary' })
  await compare()
})
afterAll(async () => {
  await service?.stop()
  await replica?.stop()
})

const asAdmin = (sql: string) => replica.database.admin.query(sql)
/** How far the replica says that it is. */
const replays = (lsn: string) =>
  asAdmin(`CREATE OR REPLACE FUNCTION listing.pg_last_wal_replay_lsn() RETURNS pg_lsn LANGUAGE sql AS 'SELECT ${lsn}'`)
const reads = () => service.running.app.get<ReplicaReads>(BROWSE_READS, { strict: false })
const compare = () => reads().run()
const found = async (query = '', viewer = ben) =>
  (await service.list<Listing[]>(query, viewer)).body.map(({ title }) => title)

test('everybody’s lists, searches and counts are read from the replica', async () => {
  expect(await found()).toEqual(['at the replica'])
  expect(await found(`?sellerId=${ana.id}`)).toEqual(['at the replica'])
  expect(await found('?q=replica')).toEqual(['at the replica'])
  const { body } = await service.client.request<{ total: number }>('GET', '/api/listings/facets?q=replica')
  expect(body.total).toBe(1)
})

test('a user’s own list and a single listing are read from the primary', async () => {
  const { id } = await service.created(ben, { title: 'just made' })
  expect(await found(`?sellerId=${ben.id}`)).toEqual(['just made'])
  expect((await service.get(id, ana)).body.title).toBe('just made')
  await service.withdraw(id, ben)
})

test('a replica that lags is not asked until it has replayed what the primary had', async () => {
  await replays(`''0/1''::pg_lsn`)
  await compare()
  expect(await found()).toEqual(['at the primary'])
  await replays('pg_current_wal_flush_lsn()')
  await compare()
  expect(await found()).toEqual(['at the replica'])
})

test('a server that is no standby is not asked', async () => {
  await replays('null::pg_lsn')
  await compare()
  expect(await found()).toEqual(['at the primary'])
  await replays('pg_current_wal_flush_lsn()')
  await compare()
})

test.each(['40001', '57014'])(
  'a statement that is cancelled with %s is repeated at the primary, and the next one is read from the replica',
  async code => {
    await asAdmin(`CREATE OR REPLACE FUNCTION listing.conflict() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN RAISE 'canceling statement due to conflict with recovery' USING ERRCODE = '${code}'; END $$`)
    await asAdmin('DROP POLICY IF EXISTS conflict ON listing.listing')
    await asAdmin('CREATE POLICY conflict ON listing.listing USING (listing.conflict())')
    await asAdmin('ALTER TABLE listing.listing ENABLE ROW LEVEL SECURITY')
    expect(await found()).toEqual(['at the primary'])
    await asAdmin('ALTER TABLE listing.listing DISABLE ROW LEVEL SECURITY')
    expect(await found()).toEqual(['at the replica'])
  },
)

test('while the replica is away, the primary is asked, until it is back, and each of the two is logged once', async () => {
  const log = Reflect.get(reads(), 'logger')
  const [warnings, infos] = [jest.spyOn(log, 'warn'), jest.spyOn(log, 'info')]
  const { rows } = await asAdmin('SELECT current_database() AS name')
  const name = rows[0].name
  const { admin } = service.database
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [name])
  expect(await found()).toEqual(['at the primary'])
  await compare()
  expect(await found()).toEqual(['at the primary'])
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  await compare()
  expect(await found()).toEqual(['at the replica'])
  expect(warnings.mock.lastCall?.[1]).toBe('the read replica cannot be used: listings are browsed at the primary')
  expect(infos.mock.lastCall?.[0]).toBe('listings are browsed at the read replica')
  expect([warnings.mock.calls.length, infos.mock.calls.length]).toEqual([1, 1])
})

test('a replica that hangs is waited for no longer than three seconds', async () => {
  const client = await replica.database.admin.connect()
  await client.query('BEGIN; LOCK TABLE listing.listing')
  const atMs = performance.now()
  expect(await found()).toEqual(['at the primary'])
  expect(performance.now() - atMs).toBeLessThan(4_500)
  await client.query('ROLLBACK')
  client.release()
  await compare()
  expect(await found()).toEqual(['at the replica'])
})
