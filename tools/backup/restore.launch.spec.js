import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { command } from '../../e2e/support/runbooks.js'
import { Rehearsal } from './rehearsal.js'

let rehearsal
beforeAll(async () => {
  rehearsal = await Rehearsal.start()
})
afterAll(() => rehearsal.stop())

/** A deal of 100.00, paid and held. Its rows are those that the service writes, as far as the books know them. */
async function paidDeal(listingId) {
  const { rows } = await rehearsal.db.query(
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

/** What a query finds on a restored folder, after the migrations. */
async function queryRestored(folder, text) {
  const { url, stop } = await rehearsal.startRestored(folder)
  await rehearsal.migrate(url)
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
    await stop()
  }
}

describe('a restore', () => {
  let first
  let second
  let moment

  it('brings back what an accident destroyed, as it was just before, with books that are right', async () => {
    first = await paidDeal(1)
    expect(await rehearsal.backup()).toMatchObject({
      status: 0,
      output: expect.stringContaining('Taking a base backup'),
    })
    second = await paidDeal(2)
    const books = await rehearsal.run(command('restore.md', 'check-books.js'))
    expect(books).toMatchObject({ status: 0, output: expect.stringContaining('Faults: 0') })
    moment = await rehearsal.now()
    await rehearsal.db.query("UPDATE escrow.transaction SET title = 'after the moment'")
    await rehearsal.db.query('DROP TABLE escrow.posting')
    // The test does not wait for archive_timeout.
    await rehearsal.db.query('SELECT pg_switch_wal()')

    expect(await rehearsal.run(command('restore.md', 'main.js prune'))).toMatchObject({
      status: 0,
      output: expect.stringContaining('Deleted 0 base backups'),
    })

    const { status, output } = await rehearsal.restore(moment, 'before')
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
    const { status, output } = await rehearsal.restore('latest', 'latest')
    expect(output).toContain('relation "escrow.posting" does not exist')
    expect(output).toContain('The books of the restored database are not right')
    expect(status).toBe(1)
  })

  it('refuses a moment before the first backup, one that the archive does not reach, and a folder with files', async () => {
    expect((await rehearsal.restore('2026-01-01 00:00:00Z', 'early')).output).toContain(
      'has no base backup that ended before',
    )
    expect((await rehearsal.restore('2026-11-25 14:30:00', 'vague')).output).toContain('is no time with its zone')
    expect((await rehearsal.restore(moment, 'before')).output).toContain('is not empty')
    const future = await rehearsal.restore(new Date(Date.now() + 60_000).toISOString(), 'future')
    expect(future).toMatchObject({ status: 1, output: expect.stringContaining('recovery target') })
  })

  it('refuses a damaged backup', async () => {
    const [base] = fs.readdirSync(path.join(rehearsal.store, 'base'))
    const file = path.join(rehearsal.store, 'base', base, 'global/pg_control')
    const bytes = fs.readFileSync(file)
    bytes[0] ^= 1
    fs.writeFileSync(file, bytes)
    const { status, output } = await rehearsal.restore(moment, 'damaged')
    expect(output).toContain('not as listed: global/pg_control')
    expect(status).toBe(1)
    expect(fs.existsSync(path.join(rehearsal.home, 'damaged'))).toBe(false)
  })
})
