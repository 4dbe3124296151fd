import { dealReviewed, transactionCompleted } from '@holdfast/contracts/events'
import type { SellerProfile } from '@holdfast/contracts/reviews'
import type { CurrentUser, PublicUser } from '@holdfast/contracts/users'
import { EventsServer } from '@holdfast/events/consumer/events-server'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { isCaughtUp, publishAs, redeliverAll } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import pg from 'pg'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'
import { closeAccount } from './close-account.js'
import { makeAdmin } from './make-admin.js'
import { SEARCHES_PER_USER } from './search-limit.js'
import { verifyUser } from './verify-user.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const newUser = async (registration: object = {}): Promise<CurrentUser> =>
  (await identity.signUp(registration)).body.user
const current = async (id: string) =>
  (await identity.client.request<CurrentUser>('GET', '/api/auth/user', { actor: userActor(id) })).body

describe('the current user', () => {
  test('sees all of their own fields', async () => {
    const user = await newUser()
    const answer = await identity.client.request('GET', '/api/auth/user', { actor: userActor(user.id) })
    expect(answer).toMatchObject({ status: 200, body: user })
  })

  test('is refused without a session, and for a deleted account', async () => {
    expect(await identity.client.request('GET', '/api/auth/user')).toMatchObject({ status: 401 })
    expect(await identity.client.request('GET', '/api/auth/user', { actor: userActor(newId()) })).toMatchObject({
      status: 401,
    })
  })
})

describe('the search for people', () => {
  let searcher: CurrentUser
  let zoe: CurrentUser
  beforeAll(async () => {
    searcher = await newUser({ firstName: 'Zoé', lastName: 'Searcher', username: 'zoe.searcher' })
    zoe = await newUser({ firstName: 'Zoé', lastName: 'van Dyck', username: 'under_score', email: 'Zoe@Example.org' })
    await confirm(zoe)
    await newUser({ firstName: 'Max', lastName: 'Powers', username: 'underXscore' })
  })

  const confirm = ({ id }: CurrentUser) => identity.confirmAddress(id)
  const search = (q: string, actor = userActor(searcher.id)) =>
    identity.client.request<PublicUser[]>('GET', `/api/users/search?q=${encodeURIComponent(q)}`, { actor })
  const found = async (q: string) => (await search(q)).body.map(user => user.username)

  test.each(['zoé', 'ZOÉ', 'van d', 'Zoé  van dyck', 'UNDER_S', '@under_score', 'zoe@example.ORG'])(
    'finds a user by %j, in any case',
    async q => {
      expect(await found(q)).toEqual(['under_score'])
    },
  )

  test.each(['zoe@example', 'oe@example.org', 'example.org', '%%%', 'und%', 'dyck van', 'score'])(
    'finds no user by %j',
    async q => {
      expect(await found(q)).toEqual([])
    },
  )

  test('finds nobody by an address that they have not confirmed: it can be another person’s', async () => {
    const user = await newUser({ email: 'well.known@example.org' })
    expect(await found('well.known@example.org')).toEqual([])
    await confirm(user)
    expect(await found('well.known@example.org')).toEqual([user.username])
  })

  test('does not find a closed account', async () => {
    const { id } = await newUser({ firstName: 'Quentin', lastName: 'Quits', username: 'leaver.1' })
    const all = async () => (await Promise.all(['leaver', 'quits', 'quentin q'].map(found))).flat()
    expect(await all()).toEqual(['leaver.1', 'leaver.1', 'leaver.1'])
    await identity.database.admin.query(
      'UPDATE identity.users SET closing_id = $2, closing_at = now(), closed_at = now() WHERE id = $1',
      [id, newId()],
    )
    expect(await all()).toEqual([])
  })

  test('returns only public fields', async () => {
    const { body } = await search('under_score')
    expect(body).toEqual([
      {
        id: zoe.id,
        firstName: 'Zoé',
        lastName: 'van Dyck',
        username: 'under_score',
        isVerified: false,
        rating: null,
        profileImageUrl: null,
      },
    ])
  })

  test('leaves out the searcher', async () => {
    expect(await found('zoe.searcher')).toEqual([])
    const { body } = await search('zoe.searcher', userActor(zoe.id))
    expect(body.map(({ username }) => username)).toEqual(['zoe.searcher'])
  })

  test.each(['', 'ab', '  a  ', 'x'.repeat(101)])('refuses the query %j, and names the field', async q => {
    expect(await search(q)).toMatchObject({ status: 400, body: { details: { fields: { q: expect.any(String) } } } })
  })

  test('needs a query and a session', async () => {
    const actor = userActor(searcher.id)
    expect(await identity.client.request('GET', '/api/users/search', { actor })).toMatchObject({
      status: 400,
      body: { details: { fields: { q: 'Required' } } },
    })
    expect(await identity.client.request('GET', '/api/users/search?q=zoe')).toMatchObject({ status: 401 })
  })

  test('returns at most twenty, and as many to one who is found as well', async () => {
    const { rows } = await identity.database.admin.query<{ id: string }>(`
      INSERT INTO identity.users (id, email, username, password_hash, first_name, last_name, created_at)
      SELECT uuidv7(), 'crowd' || n || '@example.com', 'crowd' || n, 'x', 'C', 'D', now() FROM generate_series(10, 60) n RETURNING id`)
    expect(await found('crowd')).toHaveLength(20)
    const { body } = await search('crowd', userActor(rows[0]!.id))
    expect([body.length, body[0]?.username]).toEqual([20, 'crowd11'])
  })

  test('returns an exact match first, also when many others match', async () => {
    await newUser({ username: 'zz-crowd', lastName: 'Crowd' })
    await confirm(await newUser({ username: 'crow', email: 'crowd@example.net' }))
    await newUser({ username: 'Crowd', lastName: 'Exact' })
    expect((await found('crowd')).slice(0, 2)).toEqual(['Crowd', 'crowd10'])
    expect((await found('crowd@example.net')).slice(0, 1)).toEqual(['crow'])
  })

  test('is limited for each user', async () => {
    const copier = userActor(newId())
    for (let i = 0; i < SEARCHES_PER_USER.attempts; i += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => search('crowd', copier)))
      for (const { status } of answers) expect(status).toBe(200)
    }
    const answer = await search('crowd', copier)
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await search('crowd')).status).toBe(200)
  })
})

describe('the look-up of people by id', () => {
  const lookUp = (ids: unknown, caller: 'gateway' | 'escrow-svc' = 'gateway') =>
    identity.client.request('POST', '/internal/users/lookup', { body: { ids }, caller })

  test('returns each known user once, with their e-mail address', async () => {
    const user = await newUser()
    const answer = await lookUp([user.id, newId(), user.id])
    expect(answer).toMatchObject({ status: 200, body: [{ id: user.id, email: user.email }] })
    expect(answer.body).toHaveLength(1)
    expect((answer.body as object[])[0]).not.toHaveProperty('role')
  })

  test('refuses a malformed id, and services that may not call it', async () => {
    expect(await lookUp(['1'])).toMatchObject({
      status: 400,
      body: { details: { fields: { 'ids.0': expect.anything() } } },
    })
    expect(await lookUp([newId()], 'escrow-svc')).toMatchObject({ status: 403 })
  })
})

describe('the number of completed deals', () => {
  test('increases by one for buyer and seller, although the event is delivered several times', async () => {
    const [buyer, seller] = [await newUser(), await newUser()]
    const completed = (transactionId: number, isMutual = true) =>
      newEvent(
        transactionCompleted,
        transactionId,
        {
          transactionId,
          listingId: 1,
          buyerId: buyer.id,
          sellerId: seller.id,
          title: 'Camera',
          amount: '100.00',
          currency: 'USD',
          status: 'completed',
          at: new Date().toISOString(),
          actor: `user:${buyer.id}`,
          sellerNet: '98.50',
          isMutual,
        },
        new Date(),
      )
    // The third was paid to a seller who has never accepted the deal.
    await publishAs('escrow-svc', identity.database, completed(1), completed(2), completed(3, false))
    await eventually(async () => (await current(buyer.id)).totalTransactions === 2)
    await redeliverAll('identity-svc', identity.database)
    await eventually(() => isCaughtUp('identity-svc', identity.database))
    expect([(await current(buyer.id)).totalTransactions, (await current(seller.id)).totalTransactions]).toEqual([2, 2])
    expect((await current(seller.id)).totalTransactions).toBe(2)
    // Two deliveries at the same moment can be in one batch.
    const third = completed(3)
    const server = identity.running.app.get(EventsServer)
    const deliver = () => server.handle({ event: third, attempt: 1 })
    await Promise.all([deliver(), deliver()])
    expect((await current(buyer.id)).totalTransactions).toBe(3)
  })
})

/** A command that an operator runs twice in these tests: the second time nothing changes, and no act is kept. */
const byCommand = (email: string) => ({ email, commandLineUser: 'grace', reason: 'She is on call' })
const BY_COMMAND = { actorId: null, commandLineUser: 'grace', reason: 'She is on call' }
const actsOn = async (id: string) =>
  (await identity.client.request<object[]>('GET', `/internal/admin/acts?subject=user:${id}`)).body

describe('making an admin', () => {
  test('finds the account by its e-mail address in any case, and returns null when there is none', async () => {
    const person = aRegistration()
    const { id } = await newUser(person)
    const client = new pg.Client(identity.database.url('identity_svc'))
    await client.connect()
    try {
      expect(await makeAdmin(client, byCommand('nobody@example.net'))).toBeNull()
      expect(await makeAdmin(client, byCommand(person.email.toUpperCase()))).toBe(person.username)
      expect(await makeAdmin(client, byCommand(person.email))).toBe(person.username)
    } finally {
      await client.end()
    }
    expect((await current(id)).role).toBe('admin')
    expect(await actsOn(id)).toMatchObject([
      {
        act: 'user.change_role',
        before: { role: 'user', approvesFrom: null },
        after: { role: 'admin' },
        ...BY_COMMAND,
      },
    ])
    const path = '/internal/admin/approvers'
    expect((await identity.client.request<{ userIds: string[] }>('GET', path)).body.userIds).toContain(id)
  })
})

describe('verifying a user', () => {
  test('marks the account and publishes it, and returns null when there is none', async () => {
    const person = aRegistration()
    const { id, username } = await newUser(person)
    const client = new pg.Client(identity.database.url('identity_svc'))
    await client.connect()
    try {
      expect(await verifyUser(client, byCommand('nobody@example.net'))).toBeNull()
      expect(await verifyUser(client, byCommand(person.email.toUpperCase()))).toBe(username)
      expect(await verifyUser(client, byCommand(person.email))).toBe(username)
    } finally {
      await client.end()
    }
    expect(await current(id)).toMatchObject({ isVerified: true, verificationStatus: 'approved' })
    expect(await actsOn(id)).toMatchObject([
      { act: 'user.verify', after: { verificationStatus: 'approved' }, ...BY_COMMAND },
    ])
    const published = await eventually(async () => {
      const { rows } = await identity.database.admin.query<{ payload: object }>(
        `SELECT payload::jsonb AS payload FROM events.log WHERE type = 'identity.user.updated.v1' AND key = $1`,
        [id],
      )
      return rows[0]
    })
    expect(published.payload).toMatchObject({ user: { id, username, isVerified: true } })
  })

  test('changes nothing of an account that is being closed', async () => {
    const person = aRegistration()
    const { id } = await newUser(person)
    const client = new pg.Client(identity.database.url('identity_svc'))
    await client.connect()
    try {
      expect(await closeAccount(client, byCommand(person.email))).toBe(person.username)
      expect(await verifyUser(client, byCommand(person.email))).toBeNull()
    } finally {
      await client.end()
    }
    expect(await actsOn(id)).toMatchObject([{ act: 'user.close' }])
  })
})

describe('the rating', () => {
  test('is the mean of all reviews, counts each once, and is on the public profile', async () => {
    const subject = await newUser({ username: 'Rated.One' })
    expect(subject.rating).toBeNull()
    const reviewed = (rating: number) => {
      const parties = { buyerId: newId(), sellerId: subject.id, subjectId: subject.id, authorRole: 'buyer' } as const
      const facts = { transactionId: 1, title: 'Camera', ...parties }
      return newEvent(dealReviewed, 1, { ...facts, rating, at: new Date().toISOString() }, new Date())
    }
    await publishAs('escrow-svc', identity.database, reviewed(5), reviewed(4), reviewed(2))
    await eventually(async () => (await current(subject.id)).rating === 11 / 3)
    await redeliverAll('identity-svc', identity.database)
    await eventually(() => isCaughtUp('identity-svc', identity.database))
    const path = '/api/sellers/rated.one'
    const { status, body } = await identity.client.request<SellerProfile>('GET', path, { actor: null })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: subject.id,
      firstName: subject.firstName,
      lastName: subject.lastName,
      username: 'Rated.One',
      isVerified: false,
      rating: 11 / 3,
      profileImageUrl: null,
      completedDeals: 0,
      reviewCount: 3,
      memberSince: subject.createdAt,
    })
    expect((await identity.client.request('GET', '/api/sellers/nobody.here', { actor: null })).status).toBe(404)
  })
})
