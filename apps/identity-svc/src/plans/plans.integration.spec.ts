import { planChanged } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import type { Plan } from '@holdfast/kernel/users'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { RunningIdentity } from '../../test/running-identity.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const NOW = Date.parse('2026-11-24T12:00:00Z')

const tell = async (userId: string, plan: Plan, minutes: number) => {
  const at = new Date(NOW + minutes * 60_000)
  const reason = plan === 'premium' ? 'subscribed' : 'ended'
  const payload = { userId, plan, reason, at: at.toISOString() } as const
  await publishAs('escrow-svc', identity.database, newEvent(planChanged, userId, payload, at))
}
const planOf = async (userId: string) => {
  const { rows } = await identity.database.admin.query<{ plan: Plan; since: Date }>(
    'SELECT plan, plan_since AS since FROM identity.users WHERE id = $1',
    [userId],
  )
  return rows[0]!
}

it('a user has the plan that the escrow tells, and an event that comes too late changes nothing', async () => {
  const { id } = (await identity.signUp()).body.user
  expect((await planOf(id)).plan).toBe('standard')
  await tell(id, 'premium', 0)
  await eventually(async () => (await planOf(id)).plan === 'premium')
  await tell(id, 'standard', 10)
  await tell(id, 'premium', 5)
  await eventually(() => isCaughtUp('identity-svc', identity.database))
  expect(await planOf(id)).toEqual({ plan: 'standard', since: new Date(NOW + 10 * 60_000) })
})

it('an event about a user who is not here is handled', async () => {
  await tell('01990000-0000-7000-8000-000000000000', 'premium', 0)
  const { id } = (await identity.signUp()).body.user
  await tell(id, 'premium', 1)
  await eventually(async () => (await planOf(id)).plan === 'premium')
  await eventually(() => isCaughtUp('identity-svc', identity.database))
  expect((await identity.database.admin.query('SELECT event_id FROM events.dead_letter')).rows).toEqual([])
})
