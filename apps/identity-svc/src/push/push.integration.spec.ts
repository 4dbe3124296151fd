import { notificationsToPush, type PayloadOf } from '@holdfast/contracts/events'
import type { PushBrowser } from '@holdfast/contracts/push'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { MAX_PUSH_BROWSERS } from '@holdfast/kernel/push'
import type { Subscription } from '@holdfast/sandbox/push/browsers'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'
import { PushSender } from './push-sender.js'

let identity: RunningIdentity
let publicKey: string
beforeAll(async () => {
  identity = await RunningIdentity.start()
  const { body } = await identity.client.request<{ publicKey: string }>('GET', '/api/push', { actor: userActor() })
  publicKey = body.publicKey
})
afterAll(() => identity.stop())

/** A user who is signed in with a browser. */
async function signedIn(): Promise<UserActor> {
  const { body } = await identity.signUp(aRegistration())
  return anotherBrowser(body.user.id)
}

async function anotherBrowser(userId: string): Promise<UserActor> {
  const { rows } = await identity.database.admin.query<{ id: string }>(
    `INSERT INTO identity.sessions (id, user_id, token_hash, created_at, expires_at, user_agent)
     VALUES ($1, $2, sha256($3), now(), now() + interval '1 day', 'Firefox') RETURNING id`,
    [newId(), userId, newId()],
  )
  return { ...userActor(userId), sessionId: rows[0]!.id }
}

const subscribe = (actor: UserActor, subscription: Subscription) =>
  identity.client.request<PushBrowser>('POST', '/api/push/subscriptions', { actor, body: subscription })
const browsersOf = async (actor: UserActor) =>
  (await identity.client.request<{ browsers: PushBrowser[] }>('GET', '/api/push', { actor })).body.browsers

/** A user with one browser that gets push messages. */
async function subscribed() {
  const actor = await signedIn()
  const subscription = identity.push.subscribe(publicKey)
  const { status, body } = await subscribe(actor, subscription)
  expect(status).toBe(201)
  return { actor, subscription, browser: body }
}

type Notifications = PayloadOf<typeof notificationsToPush>['notifications']

function notification(
  actor: UserActor,
  title: string,
  transactionId: number | null = 42,
  type: 'message' | 'transaction' = 'transaction',
): Notifications[number] {
  const facts = { message: 'The door code is 4711', dealTitle: 'Camera', transactionId, disputeId: null, type, title }
  return { ...facts, id: newId(), userId: actor.id }
}

async function publish(...notifications: Notifications) {
  const event = newEvent(notificationsToPush, notifications[0]!.userId, { notifications }, new Date())
  await publishAs('messaging-svc', identity.database, event, event)
}

const notify = (...facts: Parameters<typeof notification>) => publish(notification(...facts))

const waiting = async () =>
  (
    await identity.database.admin.query<{ title: string; attempts: number }>(
      'SELECT title, attempts FROM identity.push_message',
    )
  ).rows

async function sendDue() {
  const sender = identity.running.app.get(PushSender)
  for (const { id } of await sender.upcoming(0, 100)) await sender.fire(id)
}
const makeDue = () => identity.database.admin.query('UPDATE identity.push_message SET due_at = now()')

describe('a push message', () => {
  test('arrives once, encrypted for its browser and signed, with its title and page and no other word', async () => {
    const { actor, subscription } = await subscribed()
    await notify(actor, 'Payment received')
    await eventually(async () => {
      await sendDue()
      return identity.push.shownIn(subscription).length > 0
    })
    expect(identity.push.shownIn(subscription)).toEqual([
      { title: 'Payment received', path: '/transaction/42', tag: 'deal:42' },
    ])
    await sendDue()
    expect(identity.push.shownIn(subscription)).toHaveLength(1)
    expect(identity.push.messages.some(({ text }) => text.includes('4711'))).toBe(false)
  })

  test('goes to every browser of its user, and to nobody else', async () => {
    const { actor, subscription } = await subscribed()
    const second = identity.push.subscribe(publicKey)
    await subscribe(await anotherBrowser(actor.id), second)
    const other = await subscribed()
    await notify(actor, 'New message from the buyer', 7, 'message')
    await eventually(async () => {
      await sendDue()
      return [subscription, second].every(each => identity.push.shownIn(each).length === 1)
    })
    expect(identity.push.shownIn(second)).toEqual([
      { title: 'New message from the buyer', path: '/transaction/7#messages', tag: 'chat:7' },
    ])
    expect(identity.push.shownIn(other.subscription)).toEqual([])
  })

  test.each(['rate_limit', 'error', 'refuse'] as const)('that fails with %s is sent again later', async fault => {
    const { actor, subscription } = await subscribed()
    const title = `After ${fault}`
    identity.push.fail(fault)
    await notify(actor, title)
    await eventually(async () => {
      await sendDue()
      return (await waiting()).some(message => message.title === title && message.attempts > 0)
    })
    const { rows } = await identity.database.admin.query(
      'SELECT due_at > now() AS "isLater", last_error AS error FROM identity.push_message WHERE title = $1',
      [title],
    )
    expect(rows).toEqual([{ isLater: true, error: expect.any(String) }])
    expect(identity.push.shownIn(subscription)).toEqual([])
    await makeDue()
    await sendDue()
    expect(identity.push.shownIn(subscription)).toMatchObject([{ title }])
  })

  test('that has failed for hours is given up', async () => {
    const { actor } = await subscribed()
    identity.push.fail('error', 50)
    await notify(actor, 'Old news')
    await eventually(async () => (await waiting()).length > 0)
    for (const [hours, waits] of [
      [5, 1],
      [7, 0],
    ]) {
      await identity.database.admin.query(
        `UPDATE identity.push_message SET created_at = now() - $1 * interval '1 hour', due_at = now()`,
        [hours],
      )
      await sendDue()
      expect(await waiting()).toHaveLength(waits!)
    }
    // The faults that are left are used up.
    for (let n = 0; n < 60; n++) await fetch(`${identity.push.origin}/push/none`, { method: 'POST' })
  })

  test('is replaced by a later one about the same deal while it waits', async () => {
    const { actor, subscription } = await subscribed()
    identity.push.fail('error')
    await notify(actor, 'Shipped', 9)
    await eventually(async () => {
      await sendDue()
      return (await waiting()).some(({ attempts }) => attempts > 0)
    })
    await notify(actor, 'Delivered', 9)
    await eventually(
      async () =>
        (await waiting()).some(({ title }) => title === 'Delivered') || identity.push.shownIn(subscription).length > 0,
    )
    await sendDue()
    expect(identity.push.shownIn(subscription)).toMatchObject([{ title: 'Delivered' }])
    expect(await waiting()).toEqual([])
  })
})

test('of news in one event each goes to its user, and of those about one deal the last', async () => {
  const [first, second] = [await subscribed(), await subscribed()]
  await publish(
    notification(first.actor, 'Paid', 7),
    notification(second.actor, 'Shipped', 7),
    notification(first.actor, 'Delivered', 7),
    notification(first.actor, 'Paid out', 8),
  )
  const titles = ({ subscription }: typeof first): string[] =>
    identity.push.shownIn(subscription).map(message => (message as { title: string }).title)
  await eventually(async () => {
    await sendDue()
    return titles(first).length === 2 && titles(second).length === 1
  })
  expect([titles(first).sort(), titles(second)]).toEqual([['Delivered', 'Paid out'], ['Shipped']])
})

describe('a browser', () => {
  test('that has removed its subscription is forgotten, with what waits for it', async () => {
    const { actor, subscription } = await subscribed()
    identity.push.remove(subscription)
    await notify(actor, 'For nobody')
    await eventually(async () => {
      await sendDue()
      return (await browsersOf(actor)).length === 0
    })
    expect((await waiting()).filter(({ title }) => title === 'For nobody')).toEqual([])
  })

  test('gets nothing after its session has ended, and another one of the user does', async () => {
    const { actor, subscription } = await subscribed()
    const other = await anotherBrowser(actor.id)
    const otherSubscription = identity.push.subscribe(publicKey)
    await subscribe(other, otherSubscription)
    expect(
      (await identity.client.request('DELETE', `/api/auth/sessions/${actor.sessionId}`, { actor: other })).status,
    ).toBe(204)
    expect(await browsersOf(other)).toMatchObject([{ current: true }])
    await notify(actor, 'Who reads it?')
    await eventually(async () => {
      await sendDue()
      return identity.push.shownIn(otherSubscription).length === 1
    })
    expect(identity.push.shownIn(subscription)).toEqual([])
  })

  test('whose session expires after the message was queued gets nothing', async () => {
    const { actor, subscription } = await subscribed()
    identity.push.fail('error')
    await notify(actor, 'Too late')
    const waits = async () => (await waiting()).filter(({ title }) => title === 'Too late')
    await eventually(async () => {
      await sendDue()
      return (await waits()).some(({ attempts }) => attempts > 0)
    })
    const { admin } = identity.database
    await admin.query('UPDATE identity.sessions SET expires_at = now() WHERE id = $1', [actor.sessionId])
    await makeDue()
    expect(await waits()).toHaveLength(1)
    await sendDue()
    expect(identity.push.shownIn(subscription)).toEqual([])
    expect(await waits()).toEqual([])
    // The list of browsers leaves out those of ended sessions. So it would not show that this one is forgotten.
    const { rows } = await admin.query('SELECT FROM identity.push_subscription WHERE user_id = $1', [actor.id])
    expect(rows).toEqual([])
  })

  test('belongs to whoever is signed in with it now', async () => {
    const { actor, subscription } = await subscribed()
    const next = await signedIn()
    expect((await subscribe(next, subscription)).status).toBe(201)
    expect(await browsersOf(actor)).toEqual([])
    expect(await browsersOf(next)).toMatchObject([{ current: true, userAgent: 'Firefox' }])
  })

  test('is not taken over by somebody who knows its address and not its keys', async () => {
    const { actor, subscription } = await subscribed()
    const stranger = await signedIn()
    const { keys } = identity.push.subscribe(publicKey)
    const { status, body } = await subscribe(stranger, { ...subscription, keys })
    expect([status, body]).toMatchObject([400, { details: { fields: { endpoint: 'Belongs to another browser' } } }])
    expect(await browsersOf(actor)).toHaveLength(1)
  })

  test('is one of at most some, replaces itself, and is removed by its user alone', async () => {
    const { actor, browser } = await subscribed()
    await subscribe(actor, identity.push.subscribe(publicKey))
    const [current, ...others] = await browsersOf(actor)
    expect(others).toEqual([])
    expect(current?.id).not.toBe(browser.id)
    for (let n = 0; n < MAX_PUSH_BROWSERS; n++)
      await subscribe(await anotherBrowser(actor.id), identity.push.subscribe(publicKey))
    const all = await browsersOf(actor)
    expect(all).toHaveLength(MAX_PUSH_BROWSERS)
    expect(all.some(({ id }) => id === current?.id)).toBe(false)
    const path = `/api/push/subscriptions/${all[0]!.id}`
    expect((await identity.client.request('DELETE', path, { actor: await signedIn() })).status).toBe(404)
    expect((await identity.client.request('DELETE', path, { actor })).status).toBe(204)
    expect((await identity.client.request('DELETE', path, { actor })).status).toBe(404)
  })
})

describe('a subscription is refused', () => {
  const POINT_OFF_THE_CURVE = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
  test.each([
    [{ endpoint: 'http://127.0.0.1:5432/push/a' }, 'endpoint'],
    [{ endpoint: 'https://169.254.169.254/latest' }, 'endpoint'],
    [{ endpoint: 'https://example.com/push' }, 'endpoint'],
    [{ endpoint: 'nothing' }, 'endpoint'],
    [{ keys: { p256dh: POINT_OFF_THE_CURVE, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }, 'keys.p256dh'],
    [{ keys: { p256dh: 'short', auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }, 'keys.p256dh'],
    [{ keys: undefined }, 'keys'],
  ])('with %j', async (change, field) => {
    const actor = await signedIn()
    const sent = { ...identity.push.subscribe(publicKey), ...change } as Subscription
    const { status, body } = await identity.client.request<{ details: { fields: object } }>(
      'POST',
      '/api/push/subscriptions',
      { actor, body: sent },
    )
    expect([status, Object.keys(body.details.fields)]).toEqual([400, [field]])
  })

  test('when the session has ended', async () => {
    const { status } = await subscribe(userActor(), identity.push.subscribe(publicKey))
    expect(status).toBe(401)
  })
})
