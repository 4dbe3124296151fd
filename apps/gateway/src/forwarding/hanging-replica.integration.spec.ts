import { setTimeout as sleep } from 'node:timers/promises'
import { type BatchedRequestHead, batchRoute, MAX_BATCHED_BODY_BYTES } from '@holdfast/contracts/batches'
import { encodeFrame, FrameReader } from '@holdfast/http-client/batch-frames'
import { HANGS_AFTER_MS } from '@holdfast/http-client/replica'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { behindOneAddress, FakeReplica } from '@holdfast/testing/hanging-replicas'
import { answerPeople, aPerson, aRecord, someTerms } from '../../test/deals.js'
import { OwnClock } from '../../test/own-clock.js'
import { RunningGateway } from '../../test/running-gateway.js'
import { MAX_REPEATED_BODY_BYTES } from './forwarded-routes.js'

const ACCEPT = '/api/transactions/7/accept'
const REFUND = '/api/transactions/7/refund'
const SAVE_CARD = '/api/payment-methods/setup'
const OPEN = '/internal/transactions'
/** Nobody waits for longer because one replica hangs. */
const WITHIN_MS = 1_000

describe('while one of two replicas of a service hangs', () => {
  let gateway: RunningGateway
  let replicas: readonly FakeReplica[]
  let close: () => void
  let token: string
  let user: UserActor
  const clock = new OwnClock()
  afterAll(() => clock.stop())

  beforeEach(async () => {
    replicas = ['a', 'b'].map(name => new FakeReplica(name, answerAs(name)))
    const address = await behindOneAddress(replicas)
    close = address.close
    gateway = await new RunningGateway().start({ ESCROW_URL: address.origin })
    ;({ token, user } = gateway.services.signIn())
    // The gateway gets a connection to each replica.
    while (replicas.some(({ requests }) => requests.length === 0))
      await Promise.all([send('GET', '/api/transactions/7/timeline'), send('GET', '/api/transactions/7/timeline')])
    replicas[0]!.hangs = true
  })
  afterEach(async () => {
    replicas[0]!.goOn()
    await gateway.stop()
    close()
  })

  async function send(method: string, path: string, key?: string, body?: object) {
    const began = clock.nowMs
    const answer = await gateway.ask(method, path, { token, headers: key ? { 'idempotency-key': key } : {}, body })
    return { status: answer.status, text: await answer.text(), ms: clock.nowMs - began }
  }

  it.each([
    ['a read', 'GET', '/api/transactions/7/timeline', undefined],
    ['a command of a batch, with an idempotency key', 'POST', ACCEPT, 'key'],
    ['a webhook', 'POST', '/api/webhooks/stripe', undefined],
    ['another command with an idempotency key', 'POST', REFUND, 'key'],
  ])('%s is answered by the other one', async (_, method, path, key) => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(method, path, key)))
    for (const { status, text, ms } of answers) {
      expect([status, text]).toEqual([200, 'b'])
      expect(ms).toBeLessThan(WITHIN_MS)
    }
  })

  /** Buys an item, for which the gateway asks several services. */
  function buy(key?: string) {
    const [buyer, seller] = [{ ...aPerson('Ana'), id: user.id }, aPerson('Ben')]
    const { services } = gateway
    answerPeople(services, [buyer, seller])
    services.on('identity-svc', 'POST', '/internal/users/blocked', () => ({ isBlocked: false }))
    services.on('listing-svc', 'GET', '/internal/listings/3/terms', () => someTerms({ sellerId: seller.id }))
    return send('POST', '/api/transactions', key, { listingId: 3, amount: '120.50' })
  }

  it('a purchase with an idempotency key is answered by the other one', async () => {
    while (!replicas[0]!.requests.includes(`POST ${OPEN}`))
      for (const { status, text, ms } of await Promise.all(Array.from({ length: 4 }, () => buy('key')))) {
        expect([status, JSON.parse(text).trackingNumber]).toEqual([201, 'b'])
        expect(ms).toBeLessThan(WITHIN_MS)
      }
  })

  it('a purchase without an idempotency key is not sent twice', async () => {
    const bought = Array.from({ length: 4 }, () => buy())
    await sleep(3 * HANGS_AFTER_MS)
    replicas[0]!.goOn()
    await Promise.all(bought)
    expect(replicas.flatMap(({ requests }) => requests).filter(each => each === `POST ${OPEN}`)).toHaveLength(4)
  })

  it.each([
    ['a command without an idempotency key', ACCEPT, undefined, undefined],
    ['a command that waits for the payment provider', SAVE_CARD, 'key', undefined],
    ['a command with a large body', REFUND, 'key', Buffer.alloc(MAX_REPEATED_BODY_BYTES + 1)],
  ])('%s is not sent twice', async (_, path, key, body) => {
    const sent = Array.from({ length: 4 }, () => send('POST', path, key, body))
    await sleep(3 * HANGS_AFTER_MS)
    replicas[0]!.goOn()
    await Promise.all(sent)
    const received = replicas.flatMap(({ requests }) => requests)
    expect(received.filter(each => each === `POST ${path}`)).toHaveLength(4)
  })

  it('a command that is sent later goes to the other one', async () => {
    const first = [send('POST', SAVE_CARD, 'key'), send('POST', SAVE_CARD, 'key')]
    await Promise.race(first)
    await sleep(HANGS_AFTER_MS)
    for (const { text, ms } of await Promise.all(Array.from({ length: 8 }, () => send('POST', SAVE_CARD, 'key')))) {
      expect(text).toBe('b')
      expect(ms).toBeLessThan(WITHIN_MS)
    }
    replicas[0]!.goOn()
    await Promise.all(first)
  })
})

/** Answers with the name, each request of a batch by itself, and counts those as requests of their own. */
function answerAs(name: string): ConstructorParameters<typeof FakeReplica>[1] {
  return function (this: FakeReplica, { url }, body, response) {
    if (url === OPEN) {
      response.writeHead(201, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(aRecord({ trackingNumber: name })))
    }
    if (url !== batchRoute.path) return void response.end(name)
    const frames = new FrameReader<BatchedRequestHead>(MAX_BATCHED_BODY_BYTES).push(Buffer.from(body))
    const answers = frames.flatMap(({ head }, index) => {
      this.requests.push(head.route.replace('{id}', '7'))
      return encodeFrame({ index, status: 200, headers: {} }, Buffer.from(name))
    })
    response.end(Buffer.concat(answers))
  }
}
