import type { EventEnvelope } from '@holdfast/contracts/events'
import { urlVariableOf } from '@holdfast/contracts/topology'
import { plan as identityPlan } from '@holdfast/identity-svc/migrations/plan'
import { newId } from '@holdfast/kernel/ids'
import { parseConfig } from '@holdfast/service-kit/lifecycle/config'
import { type RunningService, startService } from '@holdfast/service-kit/lifecycle/service'
import { publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { testActorKeys } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { IdentityProcess } from '../test/identity-process.js'
import { Listener } from '../test/listener.js'
import { gatewayShape, UPSTREAMS } from './config.js'
import { gatewayService } from './service.js'
import { READ_SESSION_AGE_MS } from './sessions/sessions.js'

const KEYS = testActorKeys('identity-svc', 'gateway')
const PASSWORD = 'correct horse battery'
/** The wrong passwords that one account takes from one address. */
const WRONG_PASSWORDS = 10
/** How much longer than promised a step may take here. */
const BUSY_MACHINE_MS = 5_000

interface SignedIn {
  readonly id: string
  readonly email: string
  readonly token: string
}

// Two replicas of the gateway, each in front of a replica of identity-svc of its own: what they share is the database.
describe('two replicas of the gateway', () => {
  let database: ScratchDatabase
  let identities: readonly IdentityProcess[] = []
  let gateways: readonly RunningService[] = []
  const open: Listener[] = []
  let people = 0

  beforeAll(async () => {
    database = await ScratchDatabase.make(identityPlan, { ...timersPlan, grants: timersGrants([identityPlan.role]) })
    const variables = { DATABASE_URL: database.url(identityPlan.role), ACTOR_KEYS: KEYS, ...database.environment }
    identities = await Promise.all([IdentityProcess.start(variables), IdentityProcess.start(variables)])
    gateways = await Promise.all(identities.map(({ origin }) => startGateway(origin)))
  })
  afterEach(() => Promise.all(open.splice(0).map(listener => listener.leave())))
  afterAll(async () => {
    await Promise.all(gateways.map(gateway => gateway.close()))
    await Promise.all(identities.map(identity => identity.kill()))
    await database.drop()
  })

  function startGateway(identity: string): Promise<RunningService> {
    const absent = Object.fromEntries(UPSTREAMS.map(name => [urlVariableOf(name), 'http://127.0.0.1:1']))
    const environment = {
      ...absent,
      NODE_ENV: 'test',
      PORT: '0',
      OPS_PORT: '0',
      PUBLIC_URL: 'http://localhost:3000',
      ACTOR_KEYS: KEYS,
      IDENTITY_URL: identity,
      DATABASE_URL: database.url(),
      ...database.environment,
    }
    return startService(gatewayService(parseConfig(gatewayShape, environment)))
  }

  const originOf = (nth: number): string => `http://127.0.0.1:${gateways[nth]!.port}`

  function ask(nth: number, method: string, path: string, { token, body }: { token?: string; body?: object } = {}) {
    return fetch(originOf(nth) + path, {
      method,
      headers: {
        ...(token && { cookie: `holdfast_session=${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async function signUpAt(nth: number): Promise<SignedIn> {
    const name = `replica${++people}`
    const email = `${name}@example.com`
    const body = { email, password: PASSWORD, firstName: 'Ana', lastName: 'Silva', username: name }
    const answer = await ask(nth, 'POST', '/api/auth/signup', { body })
    expect(answer.status).toBe(201)
    const { user } = (await answer.json()) as { user: { id: string } }
    const token = /^holdfast_session=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '')![1]!
    return { id: user.id, email, token }
  }

  it('count attempts together', async () => {
    const { email } = await signUpAt(0)
    const signIn = (nth: number) => ask(nth, 'POST', '/api/auth/signin', { body: { email, password: 'wrong' } })
    const statuses: number[] = []
    for (let attempt = 0; attempt < WRONG_PASSWORDS; attempt++) statuses.push((await signIn(attempt % 2)).status)
    expect(statuses).toEqual(Array(WRONG_PASSWORDS).fill(401))
    for (const nth of [0, 1]) {
      const refused = await signIn(nth)
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    }
  })

  const readAt = async (nth: number, token: string) => (await ask(nth, 'GET', '/api/auth/user', { token })).status

  it('refuse at once a write with a session that was ended at the other', async () => {
    const { token } = await signUpAt(0)
    const write = async (nth: number) => (await ask(nth, 'DELETE', '/api/auth/sessions', { token })).status
    expect([await write(0), await write(1)]).toEqual([204, 204])
    expect((await ask(0, 'POST', '/api/auth/logout', { token })).status).toBe(204)
    expect([await write(1), await write(0)]).toEqual([401, 401])
  })

  /** How long after the end of a session at one replica the other still reads with it. */
  async function readsOnForMs(): Promise<number> {
    const { token } = await signUpAt(0)
    expect([await readAt(0, token), await readAt(1, token)]).toEqual([200, 200])
    const checkedAt = performance.now()
    expect((await ask(0, 'POST', '/api/auth/logout', { token })).status).toBe(204)
    expect(await readAt(0, token)).toBe(401)
    await eventually(async () => (await readAt(1, token)) === 401, READ_SESSION_AGE_MS + BUSY_MACHINE_MS)
    return performance.now() - checkedAt
  }

  it('refuse a read with such a session as soon as its event has come, at the latest after two seconds', async () => {
    let shortest = Number.POSITIVE_INFINITY
    // Without the event, each try takes READ_SESSION_AGE_MS. A busy machine makes some as long.
    for (let tries = 0; tries < 5 && shortest >= READ_SESSION_AGE_MS / 2; tries++)
      shortest = Math.min(shortest, await readsOnForMs())
    expect(shortest).toBeLessThan(READ_SESSION_AGE_MS / 2)
  })

  it('both send a live event to the listeners of a user', async () => {
    const { id, token } = await signUpAt(1)
    const listeners = [0, 1].map(async nth => {
      const listener = new Listener()
      open.push(listener)
      await listener.open(`${originOf(nth)}/api/events`, token)
      return listener
    })
    const event = paid(id)
    const streams = await Promise.all(listeners)
    await publishAs('escrow-svc', database, event)
    for (const stream of streams) {
      await stream.until(text => text.includes(event.id))
      expect(stream.events()).toContainEqual({
        id: event.id,
        data: { kind: 'transaction', transactionId: 7, type: 'escrow.transaction.paid.v1' },
      })
    }
  })

  it('let a browser go on at the other after the last event that it got', async () => {
    const { id, token } = await signUpAt(0)
    const [seen, missed] = [paid(id), paid(id)]
    const first = new Listener()
    open.push(first)
    await first.open(`${originOf(0)}/api/events`, token)
    await publishAs('escrow-svc', database, seen)
    await first.until(text => text.includes(seen.id))
    await first.leave()
    await publishAs('escrow-svc', database, missed)
    const second = new Listener()
    open.push(second)
    await second.open(`${originOf(1)}/api/events`, token, seen.id)
    await second.until(text => text.includes(missed.id))
    expect(second.events().map(({ data }) => data.kind)).not.toContain('reset')
  })
})

function paid(buyerId: string): EventEnvelope {
  const payload = { transactionId: 7, buyerId, sellerId: newId() }
  return {
    ...{ id: newId(), type: 'escrow.transaction.paid.v1', topic: 'escrow.transaction', key: '7', payload },
    occurredAt: new Date().toISOString(),
  }
}
