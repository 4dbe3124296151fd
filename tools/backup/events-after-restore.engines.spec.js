import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { listingCreated } from '@holdfast/contracts/events'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'
import { startKafka } from '@holdfast/engines/kafka'
import { startRedis } from '@holdfast/engines/redis'
import { createBucket, startS3 } from '@holdfast/engines/s3'
import { listDeadLetters } from '@holdfast/events/embedded/dead-letters'
import { PARTITIONS } from '@holdfast/events/embedded/partition'
import { kafkaClient } from '@holdfast/events/kafka/kafka-client'
import { lagOf } from '@holdfast/events/kafka/kafka-lag'
import { createTopics } from '@holdfast/events/kafka/kafka-topics'
import { KafkaTransport } from '@holdfast/events/kafka/kafka-transport'
import { newEvent } from '@holdfast/events/outbox/event'
import { OutboxRelay } from '@holdfast/events/outbox/relay'
import { startInMemory } from '@holdfast/sandbox/in-memory'
import { startService } from '@holdfast/service-kit/lifecycle/service'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { stored } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { scratchEnvironment } from '@holdfast/testing/scratch-service'
import { SignedClient, testActorKeys, userActor } from '@holdfast/testing/signed-client'
import { Timers } from '@holdfast/timers/timers'
import pg from 'pg'
import { aPhoto, dataUrl } from '../../apps/dispute-svc/test/a-photo.ts'
import { Dependencies, SECRETS } from '../../apps/escrow-svc/test/dependencies.ts'
import { RunningEscrow } from '../../apps/escrow-svc/test/running-escrow.ts'
import { loadMessagingConfig } from '../../apps/messaging-svc/src/config.ts'
import { messagingService } from '../../apps/messaging-svc/src/service.ts'
import { MASTER_KEY } from '../../apps/messaging-svc/test/running-messaging.ts'
import { command } from '../../e2e/support/runbooks.js'
import { skipEvents } from '../deploy/skip-events.js'
import { asScratchDatabase, blockWith, Rehearsal, ROLE_PASSWORD } from './rehearsal.js'

/** More than the ten seconds after which Kafka forgets a member that did not leave. */
const WITHIN_MS = 60_000
/**
 * What the services read of the events that this test makes.
 *
 * @typedef {import('@holdfast/contracts/topology').Topic} Topic
 * @type {Record<string, Topic[]>}
 */
const READ = { 'escrow-svc': ['listing.listing'], 'messaging-svc': ['escrow.transaction'] }
const KEYS = testActorKeys('messaging-svc', 'gateway')
const BUCKET = 'holdfast'
/** Shorter than a restore, and longer than the services take to stop. */
const ALARM_IN_MS = 20_000

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-events-'))
const file = name => path.join(folder, name)
let rehearsal
let provider
let kafka
let redis
let s3
let admin
let listings
const pools = []
const running = []

beforeAll(async () => {
  ;[rehearsal, provider, kafka, redis, s3] = await Promise.all([
    Rehearsal.start(),
    startInMemory(SECRETS),
    startKafka(file('kafka')),
    startRedis(file('redis')),
    startS3(file('s3')),
  ])
  await createBucket(s3, BUCKET)
  const settings = { brokers: [kafka.broker], tls: false, partitions: PARTITIONS, replication: 1 }
  admin = kafkaClient(settings, 'test').admin()
  await admin.connect()
  await createTopics(admin, /** @type {Topic[]} */ (Object.keys(TOPIC_OWNERS)), settings)
  listings = new KafkaTransport({ kafka: settings, databaseUrl: rehearsal.adminUrl, service: 'listing-svc' })
  await listings.start()
})
afterAll(async () => {
  for (const services of running) await services.stop()
  await listings?.stop()
  await admin?.disconnect()
  for (const pool of pools) await pool.end()
  await provider?.sandbox.close()
  await Promise.all([kafka?.process.kill(), redis?.process.stop(), s3?.process.stop(), rehearsal?.stop()])
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The files that the S3 server keeps. */
const objects = () => fs.readdirSync(file(`s3/data/${BUCKET}`), { recursive: true })

/** How often the timers have looked at a payment window: because of an alarm in Redis, and in vain because of an error. */
async function paymentWindows() {
  const countOf = async (name, more = {}) => {
    const metric = registry.getSingleMetric(name)
    if (!metric) throw new Error(`there is no metric ${name}`)
    const { values } = await metric.get()
    const labels = { source: 'payment-window', ...more }
    return values.find(each => isDeepStrictEqual({ ...each.labels }, labels))?.value ?? 0
  }
  return { alarms: await countOf('timers_fired_total', { by: 'queue' }), failed: await countOf('timers_failed_total') }
}

/** escrow-svc and messaging-svc on one server of PostgreSQL. Each of them uses the same Kafka, Redis and S3 server as on another one. */
class Services {
  /** @type {RunningEscrow} */
  escrow
  database
  messaging
  /** @type {SignedClient} */
  client

  static async start(adminUrl) {
    const pool = new pg.Pool({ connectionString: adminUrl, max: 2 })
    pools.push(pool)
    const database = {
      admin: pool,
      url: role => Object.assign(new URL(adminUrl), { username: role, password: ROLE_PASSWORD }).href,
      environment: { EVENTS_TRANSPORT: 'kafka', KAFKA_BROKERS: kafka.broker, REDIS_URL: redis.url },
    }
    const services = new Services()
    running.push(services)
    services.database = database
    services.escrow = await RunningEscrow.on(
      new Dependencies(asScratchDatabase(database), provider.sandbox, provider.origin),
    )
    await services.startMessaging()
    return services
  }

  async startMessaging() {
    const environment = {
      ...scratchEnvironment({ database: this.database, keys: KEYS, role: 'messaging_svc' }),
      STORAGE_URL: `${s3.endpoint.replace('http', 's3+http')}/${BUCKET}`,
      STORAGE_ACCESS_KEY: s3.accessKey,
      STORAGE_SECRET_KEY: s3.secretKey,
      STORAGE_REGION: s3.region,
      ENCRYPTION_KEYS: MASTER_KEY,
    }
    this.messaging = await startService(messagingService(loadMessagingConfig(environment)))
    this.client = new SignedClient(this.messaging.port, 'messaging-svc', KEYS)
  }

  async stopMessaging() {
    await this.messaging?.close()
    this.messaging = null
  }

  async stop() {
    await this.stopMessaging()
    await this.escrow?.stopService()
  }

  /** Both services again, after they were stopped. */
  async startAgain() {
    await this.escrow.startService()
    await this.startMessaging()
  }

  async rows(text, values = []) {
    return (await this.database.admin.query(text, values)).rows
  }

  /** What the chat of a deal says of its steps, in the order in which it was written. */
  async chat({ id }) {
    const rows = await this.rows(
      'SELECT content FROM messaging.messages WHERE transaction_id = $1 AND sender_id IS NULL ORDER BY id',
      [id],
    )
    return rows.map(({ content }) => /opened|paid|shipped/.exec(content)?.[0] ?? content)
  }

  /** Waits until the chat of each deal has as many messages, and every event is read. Then the chats must say this. */
  async expectChats(expected) {
    for (const [deal, texts] of expected)
      await eventually(async () => (await this.chat(deal)).length >= texts.length, WITHIN_MS)
    await eventually(async () => (await this.rows('SELECT FROM escrow.outbox')).length === 0, WITHIN_MS)
    for (const [group, topics] of Object.entries(READ))
      await eventually(async () => (await lagOf(admin, group, topics)).events === 0, WITHIN_MS)
    const chats = await Promise.all(expected.map(async ([deal]) => [deal.id, await this.chat(deal)]))
    expect(chats).toEqual(expected.map(([{ id }, texts]) => [id, texts]))
  }

  /** The deals that the chats know. */
  async dealsWithChat() {
    const rows = await this.rows('SELECT transaction_id::int AS id FROM messaging.deals ORDER BY id')
    return rows.map(({ id }) => id)
  }

  async ship({ id, seller }) {
    const tracking = { trackingNumber: `T${id}`, carrier: 'UPS' }
    expect(await this.escrow.act(id, seller, 'tracking', tracking)).toMatchObject({ status: 200 })
  }

  /** Posts a picture in the chat of a deal. Answers its address. */
  async postPicture({ id, buyer }) {
    const body = { content: '', images: [dataUrl(await aPhoto())] }
    const answer = await this.client.request('POST', `/api/transactions/${id}/messages`, { actor: buyer, body })
    expect(answer).toMatchObject({ status: 201 })
    const { images } = /** @type {{ images: { url: string }[] }} */ (answer.body)
    return images[0].url
  }

  async statusOfPicture(url, { buyer }) {
    const answer = await this.client.fetch('GET', url, { actor: buyer })
    await answer.body?.cancel()
    return answer.status
  }

  /** Publishes a listing for a chosen buyer, as listing-svc does. escrow-svc opens its deal. */
  async offer(listingId) {
    const seller = userActor()
    const deal = { buyerId: userActor().id, sellerId: seller.id, openedBy: seller.id }
    const terms = this.escrow.terms(seller, { listingId, deal })
    const event = newEvent(listingCreated, listingId, { listingId, sellerId: seller.id, terms }, new Date())
    await listings.publish([stored(event)])
  }

  /** The deals of a listing. */
  dealsOf(listingId) {
    return this.rows('SELECT id::int AS id FROM escrow.transaction WHERE listing_id = $1', [listingId])
  }
}

const [OPENED, PAID, SHIPPED] = ['opened', 'paid', 'shipped']

describe('a restore to a moment after which Kafka has got events', () => {
  const [LOST_OFFER, NEW_OFFER, NEW_LISTING] = [901, 1_000_901, 1_000_001]
  // Of the deals that are there at the moment, messaging-svc has read the events of one. It has not read the events of `behind`, and that
  // of `waiting` has not left the outbox. The deals of `lost` and `unread` come afterwards, and messaging-svc never reads the event of `unread`.
  let kept
  let behind
  let waiting
  let lost
  let unread
  let picture
  let lostObject
  /** A time before the first event that messaging-svc has not read at the moment. */
  let behindSince
  let moment
  let url
  let after
  let fresh

  it('is preceded by events that Kafka carries until then, and by others that it gets afterwards', async () => {
    const before = await Services.start(rehearsal.adminUrl)
    const { escrow } = before
    const relay = escrow.service.app.get(OutboxRelay)
    kept = await escrow.paidAtProvider()
    await before.expectChats([[kept, [OPENED, PAID]]])
    picture = await before.postPicture(kept)
    expect(await rehearsal.backup()).toMatchObject({ status: 0 })
    await before.stopMessaging()
    behindSince = new Date()
    behind = await escrow.open()
    await relay.stop()
    waiting = await escrow.open()
    moment = await rehearsal.now()

    relay.start()
    await before.startMessaging()
    lost = await escrow.paidAtProvider()
    await before.ship(kept)
    await before.expectChats([
      [kept, [OPENED, PAID, SHIPPED]],
      [behind, [OPENED]],
      [waiting, [OPENED]],
      [lost, [OPENED, PAID]],
    ])
    await before.postPicture(lost)
    const stored = 'SELECT object_key AS key FROM messaging.message_pictures WHERE transaction_id = $1'
    lostObject = (await before.rows(stored, [lost.id]))[0].key
    await before.stopMessaging()
    unread = await escrow.open()
    escrow.service.app.get(Timers).notice('payment-window', String(unread.id), new Date(Date.now() + ALARM_IN_MS))
    await before.stop()
    await before.offer(LOST_OFFER)
    expect(await paymentWindows()).toEqual({ alarms: 0, failed: 0 })
  })

  it('brings back PostgreSQL, and neither Kafka nor Redis nor the S3 server', async () => {
    await rehearsal.db.query('SELECT pg_switch_wal()')
    expect(await rehearsal.restore(moment, 'restored')).toMatchObject({ status: 0 })
    url = (await rehearsal.startRestored('restored')).url
    await rehearsal.migrate(url)
    const owner = new pg.Pool({ connectionString: url, max: 1 })
    pools.push(owner)
    for (const part of ['next_payout_at', 'identity.sessions']) await owner.query(blockWith('sql', part))
  })

  it('has the effects of every new event once, and none of those that were skipped', async () => {
    await skipEvents(kafka, folder)
    after = await Services.start(url)
    const { escrow } = after
    fresh = await escrow.paidAtProvider({ listingId: NEW_LISTING })
    expect(fresh.id).toBeGreaterThan(1_000_000)
    await after.ship(kept)
    await after.offer(NEW_OFFER)
    const [offered] = await eventually(async () => {
      const deals = await after.dealsOf(NEW_OFFER)
      return deals.length > 0 && deals
    }, WITHIN_MS)
    await after.expectChats([
      [kept, [OPENED, PAID, SHIPPED]],
      [behind, []],
      [waiting, [OPENED]],
      [lost, []],
      [unread, []],
      [fresh, [OPENED, PAID]],
      [offered, [OPENED]],
    ])
    expect(await after.dealsWithChat()).toEqual([kept.id, waiting.id, fresh.id, offered.id].sort((a, b) => a - b))
    expect(await after.dealsOf(NEW_OFFER)).toHaveLength(1)
    expect(await after.dealsOf(LOST_OFFER)).toEqual([])
    const notified = await after.rows(
      'SELECT transaction_id, user_id, message FROM messaging.notifications GROUP BY 1, 2, 3 HAVING count(*) > 1',
    )
    expect(notified).toEqual([])
    expect(await listDeadLetters(after.database.admin)).toEqual([])
  })

  it('is not disturbed by the alarm and the picture of a deal that is lost', async () => {
    await eventually(async () => isDeepStrictEqual(await paymentWindows(), { alarms: 1, failed: 0 }), WITHIN_MS)
    expect(objects().some(name => name.includes(lostObject))).toBe(true)
    expect(await after.statusOfPicture(picture, kept)).toBe(200)
    expect(await after.statusOfPicture(await after.postPicture(fresh), fresh)).toBe(200)
  })

  it('lets a group begin at a moment: what it had not read has its effect, and so have events of lost deals', async () => {
    await after.stop()
    await skipEvents(kafka, folder, {
      'identity-svc listing-svc escrow-svc dispute-svc messaging-svc': 'escrow-svc messaging-svc',
      '--to-latest': `--to-datetime ${behindSince.toISOString()}`,
    })
    await after.startAgain()
    await eventually(async () => (await after.dealsOf(LOST_OFFER)).length > 0, WITHIN_MS)
    await after.expectChats([
      [kept, [OPENED, PAID, SHIPPED, SHIPPED]],
      [behind, [OPENED]],
      [waiting, [OPENED]],
      [lost, [OPENED, PAID]],
      [unread, [OPENED]],
      [fresh, [OPENED, PAID]],
    ])
    expect(await after.dealsOf(NEW_OFFER)).toHaveLength(1)
    expect(await listDeadLetters(after.database.admin)).toEqual([])
  })

  it('leaves books that are right', async () => {
    const books = await rehearsal.run(command('restore.md', 'check-books.js'), { DATABASE_ADMIN_URL: url })
    expect(books).toMatchObject({ status: 0, output: expect.stringContaining('Faults: 0') })
  })
})
