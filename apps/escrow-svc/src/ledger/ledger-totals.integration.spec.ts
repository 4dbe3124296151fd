import { eventually } from '@holdfast/testing/eventually'
import { RunningEscrow } from '../../test/running-escrow.js'
import { imbalances, LedgerTotals } from './ledger-totals.js'

let escrow: RunningEscrow
let totals: LedgerTotals
beforeAll(async () => {
  escrow = await RunningEscrow.start()
  totals = escrow.service.app.get(LedgerTotals)
})
afterAll(() => escrow.stop())

const sql = (text: string, values: unknown[] = []) => escrow.database.admin.query(text, values)
const differenceNow = async () => imbalances(await totals.now()).get('USD')
/** Postings as they were written hours ago. They move money between two accounts and back. */
const writeOld = (entries: number) =>
  sql(
    `WITH entry AS (SELECT uuidv7(- interval '5 hours') AS id FROM generate_series(1, $1))
     INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
     SELECT id, n, CASE n WHEN 1 THEN 'provider_clearing' ELSE 'hold:9000001' END,
       CASE n WHEN 1 THEN 'hold:9000001' ELSE 'provider_clearing' END, 'USD', 100 FROM entry CROSS JOIN generate_series(1, 2) n`,
    [entries],
  )

test('a deal that is paid is in the totals at once', async () => {
  await totals.exact()
  const { totalMinor } = await escrow.paid()
  const held = async () => (await totals.now()).heldByDeals.get('USD')
  expect(await held()).toBeGreaterThanOrEqual(totalMinor)
  expect(await differenceNow()).toBe(0n)
})

test('a posting that is written or changed by hand is found at once', async () => {
  const { id } = await escrow.paid()
  await totals.exact()
  const change = (more: number) =>
    sql('UPDATE escrow.posting SET amount_minor = amount_minor + $2 WHERE credit = $1', [`hold:${id}`, more])
  await change(-1)
  expect(await differenceNow()).toBe(1n)
  await change(1)
  expect(await differenceNow()).toBe(0n)
  const orphan = [`hold:${id}`, 'provider_clearing']
  await sql(
    `INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor) VALUES (uuidv7(), 1, $1, $2, 'USD', 5)`,
    orphan,
  )
  expect(await differenceNow()).toBe(5n)
  await sql('DELETE FROM escrow.posting WHERE debit = $1 AND credit = $2', orphan)
  expect(await differenceNow()).toBe(0n)
})

test('the hold of a deal that is changed by hand is found at once, however old the deal is', async () => {
  const { id } = await escrow.paid()
  await sql(
    `UPDATE escrow.transaction SET created_at = created_at - interval '1 year', updated_at = updated_at - interval '1 year' WHERE id = $1`,
    [id],
  )
  await totals.exact()
  const move = (minor: number) =>
    sql(
      'UPDATE escrow.transaction SET hold_minor = hold_minor - $2, refunded_minor = refunded_minor + $2 WHERE id = $1',
      [id, minor],
    )
  await sql('ALTER TABLE escrow.transaction DROP CONSTRAINT IF EXISTS transaction_check7')
  await move(7)
  expect(await differenceNow()).toBe(-7n)
  await move(-7)
  expect(await differenceNow()).toBe(0n)
})

test('an old posting that is changed by hand is found when the old ones are summed again, and by the trial balance at once', async () => {
  await writeOld(1)
  await totals.exact()
  const change = (more: number) =>
    sql(
      `UPDATE escrow.posting SET amount_minor = amount_minor + $1 WHERE n = 1 AND entry_id = (
         SELECT entry_id FROM escrow.posting WHERE credit = 'hold:9000001' ORDER BY entry_id LIMIT 1)`,
      [more],
    )
  await change(3)
  expect(imbalances(await totals.exact()).get('USD')).toBe(-3n)
  await change(-3)
  expect(await differenceNow()).toBe(0n)
  await change(3)
  expect(await eventually(async () => (await differenceNow()) === -3n)).toBe(true)
  await change(-3)
  expect(await differenceNow()).toBe(0n)
})

// Last, since the other tests would wait longer in a larger ledger.
test('the sums are those of all postings, also when these are read in parts', async () => {
  await writeOld(60_000)
  const { rows } = await sql(
    `SELECT kind, sum(debit) AS debits, sum(credit) AS credits FROM (
       SELECT split_part(debit, ':', 1) AS kind, amount_minor AS debit, 0 AS credit FROM escrow.posting
       UNION ALL SELECT split_part(credit, ':', 1), 0, amount_minor FROM escrow.posting) side GROUP BY kind ORDER BY kind`,
  )
  for (const { kinds } of [await totals.exact(), await totals.now()])
    expect(kinds.map(({ kind, debits, credits }) => ({ kind, debits: `${debits}`, credits: `${credits}` }))).toEqual(
      rows,
    )
})
