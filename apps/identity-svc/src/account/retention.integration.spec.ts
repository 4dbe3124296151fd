import { newId } from '@holdfast/kernel/ids'
import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { cleanupPlan } from '@holdfast/testing/cleanup-plan'
import { ModulesContainer } from '@nestjs/core'
import { RunningIdentity } from '../../test/running-identity.js'
import { KnownDevicesCleanup } from '../devices/known-devices-cleanup.js'
import { EnquiriesCleanup } from '../enquiries/enquiries-cleanup.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const sql = (text: string, values: unknown[] = []) => identity.database.admin.query(text, values)

test('an enquiry that has ended is deleted when it is old, and one that waits for an answer is not', async () => {
  const write = (subject: string, state: string, daysAgo: number) =>
    sql(
      `INSERT INTO identity.enquiry (id, kind, state, name, email, subject, message, facts, created_at, answer, answered_at, answered_by)
       SELECT $1::uuid, 'support', $3::text, 'Ana', 'ana@example.com', $2, 'Hello', '{}', now() - $4::int * interval '1 day',
         CASE $3 WHEN 'answered' THEN 'Hello' END, CASE $3 WHEN 'answered' THEN now() - $4::int * interval '1 day' END, CASE $3 WHEN 'answered' THEN $1::uuid END`,
      [newId(), subject, state, daysAgo],
    )
  await write('answered long ago', 'answered', 731)
  await write('closed long ago', 'closed', 731)
  await write('answered lately', 'answered', 729)
  await write('waits', 'open', 900)
  const cleanup = identity.running.app.get(EnquiriesCleanup)
  // Two replicas at the same time.
  await Promise.all([cleanup.run(1), cleanup.run(1)])
  await cleanup.run()
  const { rows } = await sql('SELECT subject FROM identity.enquiry ORDER BY subject')
  expect(rows.map(({ subject }) => subject)).toEqual(['answered lately', 'waits'])
})

test('a browser is forgotten a year after its last sign-in, also when its user never comes back', async () => {
  await identity.signUp()
  const { rows } = await sql('SELECT id FROM identity.users')
  const use = (token: string, daysAgo: number) =>
    sql(
      `INSERT INTO identity.known_devices (token_hash, user_id, used_at)
       VALUES (sha256(convert_to($2, 'UTF8')), $1, now() - $3 * interval '1 day')`,
      [rows[0].id, token, daysAgo],
    )
  await use('old', 365.1)
  await use('older', 900)
  await use('known', 364.9)
  await identity.running.app.get(KnownDevicesCleanup).run()
  const { rows: kept } = await sql(
    `SELECT token_hash = sha256('known') AS "isKnown" FROM identity.known_devices WHERE used_at < now() - interval '1 day'`,
  )
  expect(kept).toEqual([{ isKnown: true }])
})

test('every cleanup finds its rows by an index, in the order of their time', async () => {
  const providers = [...identity.running.app.get(ModulesContainer).values()].flatMap(({ providers }) => [
    ...providers.values(),
  ])
  const cleanups = new Set(providers.map(({ instance }) => instance).filter(it => it instanceof PeriodicCleanup))
  expect(cleanups.size).toBeGreaterThan(10)
  for (const cleanup of cleanups)
    expect(await cleanupPlan(identity.database.admin, 'identity', cleanup)).not.toMatch(/Seq Scan|Sort/)
})
