import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, command, RUNBOOKS, run } from '../../e2e/support/runbooks.js'
import { build } from '../dev/build.js'
import { Logs } from '../dev/logs.js'
import { reservePorts } from '../dev/ports.js'
import { startPostgres } from '../dev/postgres.js'
import { ownFolder, unprivilegedAccount } from '../dev/postgres-account.js'
import { findPostgres } from '../dev/postgres-binaries.js'
import { Processes } from '../dev/processes.js'
import { TOPOLOGY } from '../dev/topology.js'

const ROLE_PASSWORDS = JSON.stringify(Object.fromEntries(TOPOLOGY.roles.map(role => [role, 'a password for tests'])))

const processes = new Processes()
let home
let reserved
let logs
let adminUrl
let store
let db

/** Runs a command of the runbook. The values that an operator chooses are variables. Resolves with its status and what it printed. */
async function outcomeOf(script, variables = {}) {
  const env = { DATABASE_ADMIN_URL: adminUrl, STORE: store, ROLE_PASSWORDS, ...variables }
  const { code = 0, stdout, stderr } = await run(script, { env }).catch(error => error)
  return { status: code, output: `${stdout}${stderr}` }
}

const migrate = variables => outcomeOf(command('restore.md', 'npm run migrate'), variables)
const backup = () => outcomeOf(command('restore.md', 'main.js backup'))
const restore = (time, folder) =>
  outcomeOf(command('restore.md', 'main.js restore'), { TIME: time, FOLDER: path.join(home, folder) })

/** A deal of 100.00, paid and held. Its rows are those that the service writes, as far as the books know them. */
async function paidDeal(listingId) {
  const { rows } = await db.query(
    `
    WITH deal AS (
      INSERT INTO escrow.transaction (status, listing_id, buyer_id, seller_id, opened_by, title, terms, terms_hash, terms_version,
        currency, price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor, fee_schedule, buyer_plan,
        seller_plan, inspection_days, hold_minor, paid_at, settled_payment_id, created_at, updated_at)
      SELECT 'paid', $1, buyer, seller, buyer, 'Camera', jsonb_build_object('title', 'Camera', 'listingId', $1::bigint, 'sellerId', seller,
          'inspectionDays', 3, 'currency', 'USD', 'price', '100.00'), '', '1', 'USD', 10000, 0, 0, 0, 0, '1', 'standard', 'standard', 3, 10000,
        now(), gen_random_uuid(), now(), now() FROM (SELECT gen_random_uuid() AS buyer, gen_random_uuid() AS seller) people
      RETURNING id, buyer_id, settled_payment_id
    ), payment AS (
      INSERT INTO escrow.payment (id, transaction_id, user_id, method, status, amount_minor, currency, created_at, updated_at)
      SELECT settled_payment_id, id, buyer_id, 'card', 'succeeded', 10000, 'USD', now(), now() FROM deal
    ), entry AS (
      INSERT INTO escrow.journal_entry (id, transaction_id, kind, at) SELECT gen_random_uuid(), id, 'charge', now() FROM deal
      RETURNING id, transaction_id
    )
    INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
    SELECT id, 1, 'provider_clearing', 'hold:' || transaction_id, 'USD', 10000 FROM entry RETURNING credit`,
    [listingId],
  )
  return Number(rows[0].credit.split(':')[1])
}

/** Starts a server on a restored folder and runs the migrations, as the operator does, and answers what a query finds there. */
async function queryRestored(folder, text) {
  const { ports, release } = await reservePorts(9)
  const database = { folder: path.join(home, folder), port: ports.postgres, password: '' }
  const entry = await startPostgres(processes, logs, database)
  const url = new URL(adminUrl)
  url.port = String(ports.postgres)
  const client = new pg.Client(url.href)
  try {
    expect(await migrate({ DATABASE_ADMIN_URL: url.href })).toMatchObject({ status: 0 })
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
    process.kill(entry.pid, 'SIGINT')
    await entry.exited
    release()
  }
}

beforeAll(async () => {
  await build(processes, () => undefined, ['tools/migrate', 'apps/escrow-svc', '.build/packed'])
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-backup-'))
  logs = new Logs(path.join(home, 'logs'))
  store = path.join(home, 'store')
  const account = unprivilegedAccount(findPostgres().postgres)
  for (const folder of [store, path.join(store, 'wal')]) ownFolder(folder, account)
  reserved = await reservePorts(7)
  const settings = Object.fromEntries(
    blocksOf(RUNBOOKS['restore.md'], 'ini')[0]
      .replaceAll('/backup', store)
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(' = ').map(part => part.replaceAll("'", ''))),
  )
  const database = { folder: path.join(home, 'server'), port: reserved.ports.postgres, password: 'scratch', settings }
  await startPostgres(processes, logs, database)
  adminUrl = `postgres://postgres:scratch@127.0.0.1:${database.port}/holdfast`
  expect(await migrate()).toMatchObject({ status: 0 })
  db = new pg.Client(adminUrl)
  await db.connect()
})

afterAll(async () => {
  await db?.end()
  await processes.close(new Promise(() => {}))
  logs.close()
  reserved.release()
  fs.rmSync(home, { recursive: true, force: true })
})

describe('a restore', () => {
  let first
  let second
  let moment

  it('brings back what an accident destroyed, as it was just before, with books that are right', async () => {
    first = await paidDeal(1)
    expect(await backup()).toMatchObject({ status: 0, output: expect.stringContaining('Taking a base backup') })
    second = await paidDeal(2)
    const books = await outcomeOf(command('restore.md', 'check-books.js'))
    expect(books).toMatchObject({ status: 0, output: expect.stringContaining('Faults: 0') })
    // In microseconds, with the zone of the server.
    moment = (await db.query('SELECT clock_timestamp()::text AS moment')).rows[0].moment
    await db.query("UPDATE escrow.transaction SET title = 'after the moment'")
    await db.query('DROP TABLE escrow.posting')
    // The test does not wait for archive_timeout.
    await db.query('SELECT pg_switch_wal()')

    const prune = await outcomeOf(command('restore.md', 'main.js prune'))
    expect(prune).toMatchObject({ status: 0, output: expect.stringContaining('Deleted 0 base backups') })

    const { status, output } = await restore(moment, 'before')
    expect(output).toContain('2 journal entries')
    expect(output).toContain('Faults: 0')
    expect(status).toBe(0)

    const restored = await queryRestored(
      'before',
      `SELECT array_agg(id::int ORDER BY id) AS deals, array_agg(DISTINCT title) AS titles,
         nextval(pg_get_serial_sequence('escrow.transaction', 'id')) > 1000000 AS skips FROM escrow.transaction`,
    )
    expect(restored).toEqual([{ deals: [first, second], titles: ['Camera'], skips: true }])
  })

  it('of the latest state has the accident, and says that the books are not right', async () => {
    const { status, output } = await restore('latest', 'latest')
    expect(output).toContain('relation "escrow.posting" does not exist')
    expect(output).toContain('The books of the restored database are not right')
    expect(status).toBe(1)
  })

  it('refuses a moment before the first backup, one that the archive does not reach, and a folder with files', async () => {
    expect((await restore('2026-01-01 00:00:00Z', 'early')).output).toContain('has no base backup that ended before')
    expect((await restore('2026-11-25 14:30:00', 'vague')).output).toContain('is no time with its zone')
    expect((await restore(moment, 'before')).output).toContain('is not empty')
    const future = await restore(new Date(Date.now() + 60_000).toISOString(), 'future')
    expect(future).toMatchObject({ status: 1, output: expect.stringContaining('recovery target') })
  })

  it('refuses a damaged backup', async () => {
    const [base] = fs.readdirSync(path.join(store, 'base'))
    const file = path.join(store, 'base', base, 'global/pg_control')
    const bytes = fs.readFileSync(file)
    bytes[0] ^= 1
    fs.writeFileSync(file, bytes)
    const { status, output } = await restore(moment, 'damaged')
    expect(output).toContain('not as listed: global/pg_control')
    expect(status).toBe(1)
    expect(fs.existsSync(path.join(home, 'damaged'))).toBe(false)
  })
})
