import { newId } from '@holdfast/kernel/ids'
import { RunningIdentity } from '../../test/running-identity.js'
import { SessionsCleanup } from './sessions-cleanup.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const sql = (text: string, values: unknown[] = []) => identity.database.admin.query(text, values)

test('a session is deleted ninety days after its end, also when its user never comes back', async () => {
  await identity.signUp()
  const { rows } = await sql('SELECT id FROM identity.users')
  const ended = (client: string, expiredDaysAgo: number, revokedDaysAgo: number | null) =>
    sql(
      `INSERT INTO identity.sessions (id, user_id, token_hash, created_at, expires_at, revoked_at, client_ip)
       VALUES ($1, $2, sha256(convert_to($3, 'UTF8')), now() - interval '1 year', now() - $4 * interval '1 day',
         now() - $5 * interval '1 day', $3)`,
      [newId(), rows[0].id, client, expiredDaysAgo, revokedDaysAgo],
    )
  await ended('expired long ago', 90.1, null)
  await ended('revoked long ago', 80, 90.1)
  await ended('revoked after it had expired', 90.1, 10)
  await ended('expired lately', 89.9, null)
  await ended('revoked lately', -10, 89.9)
  await identity.running.app.get(SessionsCleanup).run(2)
  const { rows: kept } = await sql(
    'SELECT client_ip AS client FROM identity.sessions WHERE revoked_at IS NOT NULL OR expires_at < now() ORDER BY 1',
  )
  expect(kept.map(({ client }) => client)).toEqual(['expired lately', 'revoked lately'])
})
