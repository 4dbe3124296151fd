import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Deal } from '../support/deal.js'
import { BASE_URL } from '../support/environment.js'
import { example, operations } from '../support/openapi.js'
import { passkeyFields } from '../support/passkey.js'
import { PASSWORD, Person } from '../support/person.js'
import { documents, pngDataUrl } from '../support/picture.js'
import { journey } from '../support/runner.js'

const SECRET = 'The spare key is under the third flowerpot'

/** A deal with private data, and the value of each path parameter for it. */
async function privateDeal() {
  const images = [pngDataUrl(60, 40, [90, 60, 30])]
  const deal = await Deal.at('shipped', { title: 'A private affair', images })
  await deal.buyer.expect(201, 'POST', `${deal.path}/messages`, { body: { content: SECRET } })
  const filed = await deal.buyer.expect(201, 'POST', '/api/disputes', {
    body: { transactionId: deal.id, reason: 'other', description: SECRET },
  })
  const [image] = deal.listing.images
  const [{ paymentId }] = await deal.buyer.expect(200, 'GET', '/api/payments')
  const values = path => name => {
    if (name === 'id' && path.startsWith('/api/listings')) return deal.listing.id
    if (name === 'id' && path.startsWith('/api/disputes')) return filed.id
    const hash = image.split('/').at(-1)
    const { id, trackingNumber, buyer } = deal
    if (name === 'provider') return 'google'
    const ofNothing = {
      invitationId: buyer.id,
      token: 'none',
      username: buyer.username,
      sessionId: buyer.id,
      passkeyId: buyer.id,
      messageId: buyer.id,
      subscriptionId: buyer.id,
      cardId: 'pm_none',
    }
    return {
      id,
      paymentId,
      payoutId: buyer.id,
      userId: buyer.id,
      trackingNumber,
      hash,
      width: 320,
      n: 1,
      index: 0,
      account: `hold:${id}`,
      ...ofNothing,
    }[name]
  }
  const known = {
    transactionId: deal.id,
    listingId: deal.listing.id,
    amount: '120.00',
    buyerId: null,
    reporterId: deal.buyer.id,
    userId: deal.buyer.id,
    senderId: deal.buyer.id,
    upTo: deal.buyer.id,
    status: 'completed',
    trackingNumber: 'HF0000000000',
    email: deal.buyer.email,
    username: deal.buyer.username,
    password: 'not the password',
    price: '120.00',
    refundAmount: '40.00',
    images: [],
    ...documents(),
    ...passkeyFields(),
    signatureDate: new Date().toISOString(),
  }
  return { deal, values, known }
}

/** The private data of the deal that a text contains. */
const secretsIn = (text, deal) =>
  [SECRET, deal.buyer.email, deal.seller.email, deal.trackingNumber].filter(secret => text.includes(secret))

const ask = (person, operation, { values, known }) =>
  person.call(operation.method, operation.at(values(operation.path)) + queryOf(operation, known), {
    ...(operation.body ? { body: example(operation.body, known) } : {}),
    ...(operation.parameters.some(each => each.in === 'header' && each.required) ? { key: randomUUID() } : {}),
  })

function queryOf({ parameters }, known) {
  const query = new URLSearchParams()
  for (const { name, schema, required, in: where } of parameters)
    if (where === 'query' && required) query.set(name, example(schema, known, name))
  return query.size ? `?${query}` : ''
}

/** Streams, which never end, and webhooks, which need a signature, are left out: other journeys test them. */
const isPlain = ({ path }) => path !== '/api/events' && !path.startsWith('/api/webhooks/')

/** Calls that open a session or end the caller's own. */
const isAboutSessions = ({ path }) => path.startsWith('/api/auth/')

/**
 * What a visitor gets for each write that needs no session, with the name and address of a user and a wrong password. A name is public, and is
 * refused first.
 */
const VISITORS_ANSWERS = {
  'POST /api/auth/signin': [401, 'INVALID_CREDENTIALS'],
  'POST /api/auth/login': [401, 'INVALID_CREDENTIALS'],
  'POST /api/auth/signup': [409, 'USERNAME_TAKEN'],
  'POST /api/auth/register': [409, 'USERNAME_TAKEN'],
  'POST /api/auth/logout': [204, undefined],
  'POST /api/auth/oidc/{provider}': [404, 'NOT_FOUND'],
  'POST /api/auth/oidc': [403, 'SIGN_IN_NOT_COMPLETED'],
  'POST /api/auth/signin/second-step': [410, 'GONE'],
  'POST /api/auth/signin/second-step/passkey': [410, 'GONE'],
  'POST /api/auth/passkey/start': [200, undefined],
  'POST /api/auth/passkey': [403, 'PASSKEY_REFUSED'],
  'POST /api/auth/verify-email': [410, 'GONE'],
  'POST /api/support/tickets': [201, undefined],
  'POST /api/enterprise-contact': [201, undefined],
  'POST /api/auth/reset': [204, undefined],
  'POST /api/auth/reset/confirm': [410, 'GONE'],
  'GET /api/invitation/{token}': [404, 'INVITATION_NOT_FOUND'],
  'GET /api/sellers/{username}': [200, undefined],
}

/**
 * What a stranger gets for each write whose path names no deal, dispute or listing: those on a deal or a listing of others are
 * refused, those on what is the stranger's own are accepted.
 */
const STRANGERS_WRITES = {
  'POST /api/disputes': [404, 'TRANSACTION_NOT_FOUND'],
  'POST /api/transactions': [409, 'LISTING_NOT_AVAILABLE'],
  'POST /api/listings': [201, undefined],
  'POST /api/support/tickets': [201, undefined],
  'POST /api/enterprise-contact': [201, undefined],
  'POST /api/notifications/read': [204, undefined],
  'POST /api/conversations/read': [204, undefined],
  'PUT /api/notifications/settings': [200, undefined],
  // The address in the request is that of somebody else, and needs the password.
  'PUT /api/profile': [400, 'VALIDATION_FAILED'],
  'POST /api/verification/submit': [200, undefined],
  // The password is missing.
  'POST /api/account/closing': [400, 'VALIDATION_FAILED'],
  'POST /api/account/exports': [400, 'VALIDATION_FAILED'],
  'POST /api/create-subscription': [200, undefined],
  // It is not paid.
  'POST /api/subscription/cancel': [404, 'SUBSCRIPTION_NOT_FOUND'],
  'POST /api/subscription/resume': [404, 'SUBSCRIPTION_NOT_FOUND'],
  'POST /api/payment-methods/setup': [200, undefined],
  'POST /api/payouts': [409, 'PAYOUT_NOT_POSSIBLE'],
  'PUT /api/payout-account': [200, undefined],
  // The token is none that was mailed.
  'POST /api/payout-account/confirm': [410, 'GONE'],
  // The address is that of no push service.
  'POST /api/push/subscriptions': [400, 'VALIDATION_FAILED'],
  // A stranger has no phone number, and so no code.
  'POST /api/phone/code': [400, 'VALIDATION_FAILED'],
  'POST /api/phone/confirm': [400, 'VALIDATION_FAILED'],
  'POST /api/users/blocked': [204, undefined],
  'POST /api/contacts': [204, undefined],
  'DELETE /api/contacts/{userId}': [204, undefined],
  'DELETE /api/users/blocked/{userId}': [204, undefined],
}

export const everyRoute = [
  journey(
    'a visitor is asked to sign in on every route that needs a session, finds none of admins, and sees private data on none',
    async () => {
      const secret = await privateDeal()
      for (const operation of await operations()) {
        if (!isPlain(operation)) continue
        const { status, text, body } = await ask(new Person(), operation, secret)
        const expected = operation.isForAdmins
          ? [404, 'NOT_FOUND']
          : operation.needsSession
            ? [401, 'UNAUTHENTICATED']
            : VISITORS_ANSWERS[operation.name]
        const got = `${operation.name} answered ${status} to a visitor: ${text.slice(0, 200)}`
        if (expected) assert.deepEqual([status, body?.code], expected, got)
        else {
          assert.ok(!operation.changes, `the table says what ${operation.name} answers to a visitor`)
          assert.equal(status, operation.success, got)
        }
        assert.deepEqual(secretsIn(text, secret.deal), [], `${operation.name} shows private data to a visitor`)
      }
      const { status } = await new Person().call('GET', '/api/events')
      assert.equal(status, 401, 'live events need a session')
    },
  ),

  journey(
    'a signed-in stranger gets 404 for the deals, disputes, parcels and users of others, and changes nothing',
    async () => {
      const secret = await privateDeal()
      const stranger = await Person.signUp('Eve')
      const before = await secret.deal.seenBy(secret.deal.buyer)
      for (const operation of await operations()) {
        if (!isPlain(operation) || isAboutSessions(operation)) continue
        const { status, text, body } = await ask(stranger, operation, secret)
        assert.deepEqual(secretsIn(text, secret.deal), [], `${operation.name} shows private data to a stranger`)
        if (operation.isForAdmins)
          assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], `${operation.name} answered ${status}: ${text}`)
        else if (isPublic(operation))
          assert.equal(
            status,
            operation.changes || isForOwner(operation) ? 403 : 200,
            `${operation.name} answered ${status}: ${text}`,
          )
        else if (operation.path.includes('{') && !STRANGERS_WRITES[operation.name])
          assert.equal(status, 404, `${operation.name} answered ${status} to a stranger: ${text}`)
        else if (operation.changes) {
          const expected = STRANGERS_WRITES[operation.name]
          assert.ok(expected, `the table says what ${operation.name} answers to a stranger`)
          assert.deepEqual([status, body?.code], expected, `${operation.name} answered ${status}: ${text}`)
        } else assert.equal(status, operation.success, `${operation.name} answered ${status} to a stranger: ${text}`)
      }
      assert.deepEqual(await secret.deal.seenBy(secret.deal.buyer), before, 'the deal is as it was')
    },
  ),

  journey('a malformed id is answered 404 on every route', async () => {
    // Of a record of one's own, so that an id that is read leniently is not answered as one of nothing.
    const { deal, values } = await privateDeal()
    const variantsOf = id => [`0${id}`, `${id}.0`, `${id}e0`, ` ${id}`, `+${id}`]
    const malformed = [
      '0',
      '-1',
      '1e3',
      '01',
      '1.5',
      '9007199254740993',
      '99999999999999999999999',
      'abc',
      ' 7',
      '1;drop',
      '\u0000',
      '..',
      "' OR 1=1",
      '１',
    ]
    for (const operation of await operations()) {
      if (!operation.path.includes('{') || !isPlain(operation)) continue
      // A user who is no admin is refused before the id is read.
      if (operation.isForAdmins) continue
      const own = values(operation.path)
      const isNumber = operation.parameters.some(({ name, schema }) => name === 'id' && schema.type === 'integer')
      const variants = isNumber ? variantsOf(own('id')) : []
      const asked = [
        ...malformed.map(value => [value, () => value]),
        ...variants.map(value => [value, name => (name === 'id' ? value : own(name))]),
      ]
      for (const [value, at] of asked) {
        const path = operation.at(at)
        // An HTTP client resolves `..` before it sends. In a route with two parameters this makes the address of a page.
        if (!new URL(path, BASE_URL).pathname.startsWith('/api/')) continue
        const { status, text } = await deal.buyer.call(operation.method, path, {
          ...(operation.body ? { body: example(operation.body, { status: 'completed', trackingNumber: 'HF1' }) } : {}),
          ...(operation.parameters.some(each => each.in === 'header' && each.required) ? { key: randomUUID() } : {}),
        })
        const fine = [404, 405, ...(value === '\u0000' || value === '..' ? [400] : [])]
        assert.ok(fine.includes(status), `${operation.method} ${path} answered ${status}: ${text}`)
      }
    }
  }),

  journey(
    'a write from another site is refused; from the product’s own pages or without a browser it is accepted',
    async () => {
      const deal = await Deal.open()
      const body = { content: 'Hello' }
      const post = headers => deal.buyer.call('POST', `${deal.path}/messages`, { body, headers })
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'http://localhost:1' },
      ]) {
        const answer = await post(headers)
        assert.equal(answer.status, 403, `${JSON.stringify(headers)} was accepted`)
        assert.equal(answer.body.code, 'CROSS_SITE_REQUEST')
      }
      for (const headers of [{}, { origin: BASE_URL, 'sec-fetch-site': 'same-origin' }])
        assert.equal((await post(headers)).status, 201)
      const chat = await deal.seller.expect(200, 'GET', `${deal.path}/messages`)
      assert.equal(chat.filter(message => message.content === body.content).length, 2)
    },
  ),

  journey('an ended session is refused, and so is a forged actor header', async () => {
    const person = await Person.signUp('Olga')
    const second = await Person.signIn(person.email, PASSWORD)
    await person.expect(204, 'DELETE', '/api/auth/sessions')
    await second.refused(401, 'UNAUTHENTICATED', 'GET', '/api/auth/user')
    const { cookie } = person
    await person.expect(204, 'POST', '/api/auth/logout')
    person.cookie = cookie
    await person.refused(401, 'UNAUTHENTICATED', 'POST', '/api/notifications/read')
    const forged = JSON.stringify({ kind: 'user', id: person.id, role: 'admin' })
    for (const header of ['x-actor', 'x-holdfast-actor', 'actor', 'x-user-id']) {
      const headers = { [header]: Buffer.from(forged).toString('base64url') }
      await new Person().refused(401, 'UNAUTHENTICATED', 'GET', '/api/auth/user', { headers })
    }
    for (const path of ['/internal/users/lookup', '/internal/sessions/verify', '/internal/transactions'])
      assert.ok(
        [404, 405].includes((await new Person().call('POST', path, { body: {} })).status),
        `${path} can be called from outside`,
      )
  }),

  journey('a webhook without the signature of the provider or carrier is refused', async () => {
    const deal = await Deal.open()
    const event = {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      data: { object: { metadata: { transaction_id: String(deal.id) } } },
    }
    const signatures = [undefined, 't=1,v1=00', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`]
    const webhooks = ['stripe', 'carrier', 'coinify', `twilio?sms=${deal.buyer.id}`]
    for (const path of webhooks.map(webhook => `/api/webhooks/${webhook}`))
      for (const signature of signatures) {
        /** @type {Record<string, string>} */
        const headers = signature
          ? {
              'stripe-signature': signature,
              'x-hmac-signature': `hmac-sha256-hex=${signature}`,
              'x-coinify-webhook-signature': signature,
              'x-twilio-signature': signature,
            }
          : {}
        await new Person().refused(400, 'WEBHOOK_SIGNATURE_INVALID', 'POST', path, { body: event, headers })
      }
    assert.equal(await deal.status(), 'pending')
  }),
]

/** What belongs to a public listing and is its owner's alone. */
const isForOwner = ({ path }) => path.startsWith('/api/listings/{id}/')
/** Everyone may see a public listing, its pictures and its seller, so changing another user's is answered 403, not 404. */
const isPublic = ({ path }) =>
  path.includes('{') && (/^\/api\/(listings|images|sellers)\//.test(path) || path === '/api/users/{userId}/reviews')
