import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import pg from 'pg'
import { KAFKA_BROKERS, required } from './environment.js'
import { eventually } from './eventually.js'

/** The folder in which everything lies that the started product keeps. */
export const dataDir = () => path.dirname(required('LOGS_DIR'))
const setting = name => JSON.parse(readFileSync(path.join(dataDir(), name), 'utf8'))

/** The address of the product's database, with the login of its owner. */
export function databaseUrl() {
  const { postgresPassword } = setting('secrets.json')
  const { ports } = setting('ports.json')
  return `postgres://postgres:${postgresPassword}@127.0.0.1:${ports.postgres}/holdfast`
}

/** Host and port of a replica of a service where it says how it is, as texts. */
export function opsAddressOf(service) {
  const { opsPort, replicas } = setting('ports.json').ports[service]
  return ['127.0.0.1', String(replicas?.[0].opsPort ?? opsPort)]
}

/** Calls `work` with a connection to the product's database, as its owner. */
async function withDatabase(work) {
  const client = new pg.Client(databaseUrl())
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Changes a listing even while it is in a deal, when no route does. */
export const changeListing = (id, { title, priceMinor }) =>
  withDatabase(client =>
    client.query(
      'UPDATE listing.listing SET title = $2, price_minor = $3, version = version + 1, updated_at = now() WHERE id = $1',
      [id, title, priceMinor],
    ),
  )

/** The refund of a deal that its bank has returned; null as long as there is none. */
export const failedRefundOf = dealId =>
  withDatabase(async client => {
    const { rows } = await client.query(
      "SELECT id FROM escrow.refund WHERE transaction_id = $1 AND status = 'failed' ORDER BY id",
      [dealId],
    )
    return rows[0]?.id ?? null
  })

const NOTHING_TO_DO = {
  type: 'dispute.dispute.pictures_checked.v1',
  payload: { userId: '00000000-0000-7000-8000-000000000001', hashes: [] },
}

/** Writes a dead letter of listing-svc, whose event asks for nothing. Resolves with the id of its event. */
export const writeDeadLetter = () =>
  withDatabase(async client => {
    const { rows } = await client.query(
      `INSERT INTO events.dead_letter (consumer_group, topic, partition, position, event_id, key, type, payload, occurred_at, attempts, error)
       VALUES ('listing-svc', 'dispute.dispute', 0, -1, gen_random_uuid(), $2, $1, $3, now(), 5, 'of a journey') RETURNING event_id AS id`,
      [NOTHING_TO_DO.type, NOTHING_TO_DO.payload.userId, NOTHING_TO_DO.payload],
    )
    return rows[0].id
  })

/** Writes that a group, which no process is in, waits for an event. Resolves with the id of the event. */
export const writeWaitingEvent = group =>
  withDatabase(async client => {
    const { rows } = await client.query(
      `INSERT INTO events.waiting (consumer_group, topic, partition, event_id, key, type, attempts, outages, retry_at, error, events_behind)
       VALUES ($1, 'dispute.dispute', 0, gen_random_uuid(), 'key', $2, 3, 3, now(), 'of a journey', 0) RETURNING event_id AS id`,
      [group, NOTHING_TO_DO.type],
    )
    return rows[0].id
  })

/** Removes the row of `writeWaitingEvent`. Resolves with whether its event was to become a dead letter. */
export const removeWaitingEvent = group =>
  withDatabase(async client => {
    const { rows } = await client.query(
      'DELETE FROM events.waiting WHERE consumer_group = $1 RETURNING bury_requested',
      [group],
    )
    return rows[0].bury_requested
  })

/** Which stored objects are a user's identity documents. */
export const documentsOf = userId =>
  withDatabase(async client => {
    const { rows } = await client.query(
      'SELECT unnest(ARRAY[id_front_image, id_back_image, selfie_image]) AS key FROM identity.verification WHERE user_id = $1',
      [userId],
    )
    return rows.map(({ key }) => key)
  })

/**
 * Publishes every event that is kept and names a user once more, under new ids, so that no inbox knows them: as when a topic is delivered
 * again long afterwards. Then it publishes those of the user's account from the last to the first, so that the oldest names come after the
 * erasure. Resolves when they are handled, with their number and those that became dead letters.
 */
export const publishAgain = userId =>
  withDatabase(async client => {
    const events = await (KAFKA_BROKERS ? eventsInKafka(KAFKA_BROKERS.split(','), userId) : eventsInLog(client, userId))
    const again = [...events, ...events.filter(({ key }) => key === userId).reverse()]
    const published = []
    for (const { topic, key, type, payload, at } of again) {
      const { rows } = await client.query(
        `INSERT INTO ${topic.split('.')[0]}.outbox (event_id, topic, key, type, payload, at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $5) RETURNING event_id AS id`,
        [topic, key, type, payload, at],
      )
      published.push({ id: rows[0].id, type })
    }
    const lastOf = type => published.findLast(each => each.type === type).id
    for (const [schema, type] of LAST_HANDLED)
      await eventually(`${schema} has handled ${type} again`, async () => {
        const { rows } = await client.query(`SELECT FROM ${schema}.inbox WHERE event_id = $1`, [lastOf(type)])
        return rows.length > 0
      })
    const { rows: dead } = await client.query(
      'SELECT consumer_group, type, error FROM events.dead_letter WHERE event_id = ANY($1::uuid[])',
      [published.map(({ id }) => id)],
    )
    return { count: published.length, dead }
  })

/** The last event of an account that each service handles, when they come from the last to the first. */
const LAST_HANDLED = [
  ['listing', 'identity.user.registered.v1'],
  ['escrow', 'identity.user.registered.v1'],
  ['messaging', 'identity.user.closed.v1'],
]

async function eventsInLog(client, userId) {
  const { rows } = await client.query(
    `SELECT topic, key, type, payload::text AS payload, occurred_at AS at FROM events.log
     WHERE position($1 IN payload::text) > 0 ORDER BY published_at, topic, partition, position`,
    [userId],
  )
  return rows
}

/**
 * Reads every topic from its beginning to its present end.
 *
 * @param {string[]} brokers
 * @param {string} userId
 */
async function eventsInKafka(brokers, userId) {
  const kafka = new Kafka({ clientId: 'journeys', brokers, logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter(name => !name.startsWith('__'))
  const missing = new Set()
  for (const topic of topics)
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) missing.add(`${topic} ${partition} ${Number(high) - 1}`)
  const groupId = `journeys-${userId}`
  const consumer = kafka.consumer({ groupId })
  await consumer.connect()
  await consumer.subscribe({ topics, fromBeginning: true })
  const found = []
  try {
    await new Promise((resolve, reject) => {
      const eachMessage = async ({ topic, partition, message }) => {
        const payload = message.value.toString()
        const header = name => message.headers[name].toString()
        if (payload.includes(userId))
          found.push({ topic, key: message.key.toString(), type: header('type'), payload, at: header('occurredAt') })
        missing.delete(`${topic} ${partition} ${message.offset}`)
        if (missing.size === 0) resolve(undefined)
      }
      consumer.run({ eachMessage }).catch(reject)
    })
  } finally {
    await consumer.disconnect()
    await admin.deleteGroups([groupId])
    await admin.disconnect()
  }
  return found.sort((one, other) => one.at.localeCompare(other.at))
}

/** The running processes of the gateway and of the services, with `name` and `pid`. */
export const processesOfServices = () =>
  setting('processes.json').filter(({ name }) => name.startsWith('gateway') || name.includes('-svc'))
