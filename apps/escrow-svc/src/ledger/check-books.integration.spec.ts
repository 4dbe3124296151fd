import { chargeback } from '@holdfast/testing/stripe-events'
import { RunningEscrow } from '../../test/running-escrow.js'
import { checkBooks } from './check-books.js'

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

const sql = (text: string, values: unknown[] = []) => escrow.database.admin.query(text, values)
async function check() {
  const client = await escrow.database.admin.connect()
  try {
    return await checkBooks(client)
  } finally {
    client.release()
  }
}

test('correct books have no fault, and wrong ones say which it is', async () => {
  const { id } = await escrow.paid()
  const right = await check()
  expect(right.faults).toEqual([])
  expect(right.summary[0]).toMatch(/^USD: \d+ journal entries until .*Z, [\d.]+ posted, [\d.]+ held by deals$/)
  expect(right.summary.at(-1)).toBe('Faults: 0')

  await sql('UPDATE escrow.posting SET amount_minor = amount_minor - 1 WHERE credit = $1', [`hold:${id}`])
  expect((await check()).faults).toContainEqual(
    expect.stringContaining(`the hold of a deal differs from its postings: {"id":"${id}"`),
  )
  await sql('UPDATE escrow.posting SET amount_minor = amount_minor + 1 WHERE credit = $1', [`hold:${id}`])
})

test('a difference to the provider’s books counts, and one that the next day evens out does not', async () => {
  const compared = (day: string, ours: number) =>
    sql(`INSERT INTO escrow.provider_day VALUES ($1, 'USD', 1000, $2, now())`, [day, ours])
  await compared('2026-11-20Z', 1250)
  expect((await check()).faults).toEqual([
    'our books and the provider’s differ by 2.50 USD: docs/runbooks/provider-difference.md',
  ])
  await compared('2026-11-21Z', 750)
  const evened = await check()
  expect(evened.faults).toEqual([])
  expect(evened.summary).toContainEqual(
    expect.stringMatching(/^USD: compared with the provider until .*Z, difference 0\.00$/),
  )
})

test('a step after the end of a deal that a replica with a slow clock has written is no fault', async () => {
  const deal = await escrow.paid()
  await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'lost'))
  await sql('UPDATE escrow.transaction SET version = version + 1 WHERE id = $1', [deal.id])
  await sql(
    `INSERT INTO escrow.timeline (id, transaction_id, version, kind, status, actor, at)
     SELECT '00000000-0000-7000-8000-000000000001', id, version, 'chargebackBooked', status, 'provider', now()
     FROM escrow.transaction WHERE id = $1`,
    [deal.id],
  )
  expect((await check()).faults).toEqual([])
})
