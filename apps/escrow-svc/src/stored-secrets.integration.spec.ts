import { newId } from '@holdfast/kernel/ids'
import { userActor } from '@holdfast/testing/signed-client'
import { cryptoPayers } from '../test/crypto-payers.js'
import { PremiumUsers } from '../test/premium-users.js'
import { RunningEscrow } from '../test/running-escrow.js'

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

/** Every row of every table of the service and of the log of events, as text, by its table. */
async function stored(): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await escrow.database.admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('escrow', 'events')`,
  )
  const found: { table: string; row: string }[] = []
  for (const { name } of tables) {
    const { rows } = await escrow.database.admin.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)
    for (const { row } of rows) found.push({ table: name, row })
  }
  return found
}

/** The fields of answers with which whoever has them can pay, save a card, or change an account. */
const SECRET_FIELDS = new Set(['clientSecret', 'url', 'onboardingUrl', 'token', 'secret'])
function secretsIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'string' && SECRET_FIELDS.has(name) ? [value] : secretsIn(value),
  )
}

it('no table has a secret that an answer had, whether the request had an idempotency key or not', async () => {
  const secrets = new Set<string>()
  const ask = async (
    path: string,
    actor: ReturnType<typeof userActor>,
    body: object,
    method: 'POST' | 'PUT' = 'POST',
  ) => {
    const headers = { 'idempotency-key': newId() }
    for (let times = 0; times < 2; times++) {
      const answer = await escrow.request(method, path, { actor, body, headers })
      expect([path, answer.status < 300]).toEqual([path, true])
      for (const secret of secretsIn(answer.body)) secrets.add(secret)
    }
  }
  const buyer = userActor()
  const deals = [await escrow.open({}, buyer), await escrow.open({}, buyer)]
  await ask(`/internal/transactions/${deals[0]!.id}/payments`, buyer, { method: 'card' })
  await ask(`/internal/transactions/${deals[1]!.id}/payments`, buyer, { method: 'bank', payerEmail: 'a@example.com' })
  await cryptoPayers(() => escrow).begun()
  await ask('/api/create-subscription', userActor(), {})
  await new PremiumUsers(escrow).premium()
  await ask('/api/payment-methods/setup', buyer, {})
  await ask('/api/payout-account', userActor(), {}, 'PUT')
  const known = [...secrets]
  expect(known.filter(secret => /^(pi|seti)_\w+_secret_/.test(secret)).length).toBeGreaterThanOrEqual(3)
  const rows = await stored()
  expect(rows.filter(({ table }) => table === 'escrow.idempotency_key').length).toBeGreaterThanOrEqual(3)
  const leaks = rows.filter(({ row }) => /_secret_/.test(row) || known.some(secret => row.includes(secret)))
  expect(leaks).toEqual([])
})
