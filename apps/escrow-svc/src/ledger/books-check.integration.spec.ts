import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { eventually } from '@holdfast/testing/eventually'
import { RunningEscrow } from '../../test/running-escrow.js'
import { BooksCheckService } from './books-check.service.js'

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

const sql = (text: string, values: unknown[] = []) => escrow.database.admin.query(text, values)
const books = () => escrow.service.app.get(BooksCheckService)
const measured = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value
const makeDue = () => sql(`UPDATE escrow.books_check SET due_at = now(), checked_at = now() - interval '1 day'`)
/** For how many hours no check is due. */
const hoursLeft = async () =>
  (
    await escrow.row<{ hours: number }>(
      'SELECT extract(epoch FROM due_at - now())::float / 3600 AS hours FROM escrow.books_check',
    )
  ).hours

test('the books are checked once a day, and the metrics say how many rules are broken', async () => {
  const { id } = await escrow.paid()
  await makeDue()
  expect(await measured('ledger_books_checked_timestamp_seconds')).toBeLessThan(Date.now() / 1000 - 80_000)
  await books().checkIfDue()
  expect(await measured('ledger_books_checked_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 60)
  expect(await measured('ledger_broken_rules')).toBe(0)
  expect(await hoursLeft()).toBeGreaterThan(8)
  expect(await books().due(0)).toEqual([])

  await sql('UPDATE escrow.posting SET amount_minor = amount_minor - 1 WHERE credit = $1', [`hold:${id}`])
  await books().checkIfDue()
  expect(await measured('ledger_broken_rules')).toBe(0)
  await makeDue()
  await books().checkIfDue()
  // The hold differs from its posting, and both no longer add up to what was charged.
  expect(await measured('ledger_broken_rules')).toBe(2)
  await sql('UPDATE escrow.posting SET amount_minor = amount_minor + 1 WHERE credit = $1', [`hold:${id}`])
})

test('one replica checks the books, and after a failure they are due again in two hours', async () => {
  const replica = await escrow.startReplica()
  try {
    await makeDue()
    await sql('ALTER TABLE escrow.clock_entry RENAME TO hidden')
    const both = [books(), replica.app.get(BooksCheckService)].map(each => each.checkIfDue())
    const outcomes = await Promise.allSettled(both)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await hoursLeft()).toBeCloseTo(2, 1)
    expect(await measured('ledger_books_checked_timestamp_seconds')).toBeLessThan(Date.now() / 1000 - 80_000)
  } finally {
    await sql('ALTER TABLE escrow.hidden RENAME TO clock_entry')
    await replica.close()
  }
})

test('a replica that stops does not wait for the rule that it checks', async () => {
  const replica = await escrow.startReplica()
  const blocker = await escrow.database.admin.connect()
  try {
    await makeDue()
    await blocker.query('BEGIN; LOCK TABLE escrow.clock_entry IN ACCESS EXCLUSIVE MODE')
    const checking = expect(replica.app.get(BooksCheckService).checkIfDue()).rejects.toThrow()
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    await eventually(async () => (await sql(waiting)).rowCount)
    const startedMs = performance.now()
    await replica.close()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    await checking
  } finally {
    await blocker.query('ROLLBACK')
    blocker.release()
  }
})
