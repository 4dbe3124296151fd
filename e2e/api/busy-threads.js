import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Deal, listingBody } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { BASE_URL } from '../support/environment.js'
import { example, operations } from '../support/openapi.js'
import { passkeyFields } from '../support/passkey.js'
import { Person } from '../support/person.js'
import { documents } from '../support/picture.js'
import { processesOfServices } from '../support/product-data.js'
import { journey } from '../support/runner.js'

/** How much more time than a plain request one may take on the processor, in a thread that handles all other requests, too. */
const MOST_MS = 20
/**
 * A request that took longer is sent again after a pause that grows: a timer or the collection of garbage may have run at the same time.
 */
const [TRIES, PAUSE_MS] = [8, 300]

/** An address of the loopback network that nothing else uses. */
const OWN_ADDRESS = '127.0.0.77'

const KB = 1024
/** Just below the limits of bodies without and with a session, of a webhook's form, and of what Node reads of a head. */
const [ANONYMOUS, OF_USERS, OF_WEBHOOKS, OF_HEADS] = [15 * KB, 1023 * KB, 250 * KB, 12 * KB]
/** Just below the most values that JSON may have. */
const MANY = 11_000

/** Texts that are hard to judge, to match, to normalize or to escape when they are repeated. */
const HARD_TEXTS = [
  'P@ssw0rd',
  'a@a.',
  'e\u0301\u0323\u0308',
  '\u200b\u202e',
  'www.a.',
  '\u0430a',
  '\ud83d\udc69\u200d',
  '\\',
  'ﷺ',
  ' ',
]
const HARD_QUERIES = ['a&', 'a=1&', '%41', 'status=paid&', 'search=%20a', '[a]=1&']
const HARD_HEADS = [';', 'a=1;', '"a",', 'W/"a",', 'holdfast_session=a; ', '%41']
const HEADS = ['cookie', 'if-none-match', 'idempotency-key', 'content-type', 'x-forwarded-for', 'user-agent']

const fill = (text, bytes) => text.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(text))))
const isText = value => typeof value === 'string'

/** Takes the next items of a list, and begins again at its end. So each item is tried on some routes, and none on all. */
function taker(list) {
  let next = 0
  return count => Array.from({ length: count }, () => list[next++ % list.length])
}
const nextTexts = taker(HARD_TEXTS)
const nextQueries = taker(HARD_QUERIES)

/** Bodies of almost as many bytes or values as may be. */
function* largeBodies(valid, bytes) {
  const count = Math.min(MANY, bytes / 16)
  yield ['many empty lists', JSON.stringify({ a: Array(count).fill([]) })]
  yield ['many fields', JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, 0])))]
  yield ['deep lists', '['.repeat(count) + ']'.repeat(count)]
  for (const name of Object.keys(valid).filter(name => Array.isArray(valid[name])))
    yield [`many ${name}`, JSON.stringify({ ...valid, [name]: Array(count).fill('a1') })]
  const texts = Object.keys(valid).filter(name => isText(valid[name]))
  for (const hard of texts.length > 0 ? nextTexts(1) : []) {
    const each = fill(hard, bytes / 2 / texts.length)
    yield [
      `long texts of ${JSON.stringify(hard)}`,
      JSON.stringify({ ...valid, ...Object.fromEntries(texts.map(name => [name, each])) }),
    ]
  }
}

/** Bodies with one text each that is as long as it may be, so that the route's own checks read it. */
function* allowedBodies({ properties = {} }, valid) {
  for (const [name, { maxLength }] of Object.entries(properties)) {
    const body = valid()
    if (!isText(body[name]) || maxLength === undefined) continue
    const [hard] = /password/i.test(name) ? HARD_TEXTS : nextTexts(1)
    const longest = fill(hard, 4 * maxLength).slice(0, maxLength)
    yield [`${name} of ${JSON.stringify(hard)}`, JSON.stringify({ ...body, [name]: longest })]
  }
}

/**
 * Sends a request from an address of its own, so that nothing here counts in a limit that another journey needs. Resolves with the status;
 * fails when the product closes the connection, as it does when it does not read a body.
 */
const send = (person, method, path, { raw = '', headers = {} } = {}) =>
  new Promise((resolve, reject) => {
    const asked = request(BASE_URL + path, {
      method,
      family: 4,
      localAddress: OWN_ADDRESS,
      headers: {
        ...(raw && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(raw) }),
        ...(person.cookie && { cookie: person.cookie }),
        ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
        ...headers,
      },
    })
    asked.once('error', reject)
    asked.once('response', answer => answer.resume().once('close', () => resolve({ status: answer.statusCode })))
    asked.end(raw)
  })

/** A form of many fields, whose names are in no order. */
const formOf = bytes =>
  Array.from({ length: bytes / 4 }, (_, n) => ((n * 7_919) % 46_656).toString(36))
    .join('&')
    .slice(0, bytes)

/** Measures requests by the processor time that the main threads of the services take meanwhile. */
class Threads {
  /** What took too long each time. */
  slow = []
  #pids = processesOfServices()
  #most = MOST_MS

  #taken() {
    // Linux writes the nanoseconds first.
    return this.#pids.map(
      ({ pid }) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    )
  }

  /** What a plain request takes, which the others are compared with. */
  async plain(send) {
    this.#most = MOST_MS
    const { ms, status } = await this.#leastOf(send)
    assert.equal(typeof status, 'number', `a plain request is answered, and not with ${status}`)
    this.#most = MOST_MS + ms
  }

  async measure(title, send) {
    const { ms, name, status } = await this.#leastOf(send)
    if (ms > this.#most) this.slow.push(`${title} took ${ms.toFixed(0)} ms of ${name} (${status})`)
  }

  /** @param send may fail */
  async #leastOf(send) {
    let least = { ms: Number.POSITIVE_INFINITY }
    for (let tries = 0; tries < TRIES && least.ms > this.#most; tries++) {
      await sleep(tries * PAUSE_MS)
      const before = this.#taken()
      const { status } = await send().catch(({ code }) => ({ status: code }))
      const [{ ms, name }] = this.#taken()
        .map((now, i) => ({ ms: now - before[i], name: this.#pids[i].name }))
        .sort((a, b) => b.ms - a.ms)
      if (ms < least.ms) least = { ms, name, status }
    }
    return least
  }
}

/** An id of nothing, of the form that a path's parameter has. */
const ofNothing =
  ({ parameters }) =>
  name => {
    const { schema } = parameters.find(each => each.name === name)
    return schema.enum?.[0] ?? (schema.type === 'integer' ? 999_999_999 : randomUUID())
  }

/** Values of one valid request. A sign-up opens no account with them, since its password is easy to guess. */
const known = deal => ({
  ...listingBody(),
  ...documents(),
  ...passkeyFields(),
  transactionId: deal.id,
  listingId: deal.listing.id,
  amount: '120.00',
  email: `busy.${randomUUID()}@example.com`,
  username: `busy.${randomUUID().slice(0, 8)}`,
  phoneNumber: '555 0100',
})

/** Whether this machine says how long each thread ran. */
export const canMeasureThreads = () => existsSync('/proc/self/schedstat')

/** To be run while no other journey is: what others send would be measured with it. */
export const busyThreads = [
  journey(
    'no request keeps the thread of a process busy for long, whatever its body, address and headers are',
    async () => {
      const threads = new Threads()
      const [user, admin, deal] = await Promise.all([Person.signUp('Busy'), findMediator('ines'), Deal.open()])
      for (const operation of await operations()) {
        const { name, changes, body, isForAdmins, needsSession } = operation
        // A stream never ends, and whoever signs out has no session for the others.
        if (['GET /api/events', 'POST /api/auth/logout'].includes(name)) continue
        const person = isForAdmins ? admin : needsSession ? user : new Person()
        const path = operation.at(ofNothing(operation))
        const ask = (raw, query = '') => send(person, operation.method, path + query, { raw })
        // Without an id in its path, a valid request of an admin would change the books or the demo.
        const isTried = !isForAdmins || path !== operation.path
        const valid = () => (body ? example(body, known(deal)) : {})
        await threads.plain(() => ask(changes ? JSON.stringify(isTried ? valid() : {}) : ''))
        const [hard] = nextQueries(1)
        await threads.measure(`${name} with a query of ${hard}`, () => ask('', `?${fill(hard, OF_HEADS)}`))
        if (!changes) continue
        const bodies = [
          ...largeBodies(valid(), needsSession || isForAdmins ? OF_USERS : ANONYMOUS),
          ...allowedBodies((isTried && body) || {}, valid),
        ]
        for (const [title, raw] of bodies) await threads.measure(`${name} with ${title}`, () => ask(raw))
      }
      const visitor = new Person()
      await threads.plain(() => send(visitor, 'GET', '/api/listings'))
      for (const sender of ['twilio', 'stripe', 'coinify', 'carrier'])
        for (const bytes of [KB, OF_WEBHOOKS]) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'none' }
          const post = () =>
            send(visitor, 'POST', `/api/webhooks/${sender}?sms=${user.id}`, { raw: formOf(bytes), headers })
          await threads.measure(`a webhook of ${sender} with ${bytes} bytes of fields`, post)
        }
      for (const name of HEADS)
        for (const hard of HARD_HEADS) {
          const headers = { [name]: fill(hard, OF_HEADS).trim() }
          await threads.measure(`a read with ${name} of ${hard}`, () =>
            send(visitor, 'GET', '/api/listings', { headers }),
          )
        }
      assert.deepEqual(threads.slow, [])
    },
  ),
]
