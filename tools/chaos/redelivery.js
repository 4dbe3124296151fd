/**
 * Delivers every event of a topic again to a group of consumers. On the tables of PostgreSQL their cursors are set back. On Kafka, whose
 * groups cannot be changed while they read, all messages of the topic are produced again. Answers what was done; false when there are no
 * events yet.
 */
export async function redeliver({ database, brokers }, random) {
  return brokers ? produceAgain(brokers, random) : setBack(database, random)
}

async function setBack(database, random) {
  const groups = await database.query(
    'SELECT DISTINCT consumer_group, topic FROM events.cursor WHERE position > 0 ORDER BY 1, 2',
  )
  if (groups.rows.length === 0) return false
  const { consumer_group: group, topic } = random.oneOf(groups.rows)
  // A group that handles events holds the locks of its cursors, and would write their old position afterwards.
  await database.query('UPDATE events.cursor SET position = 0 WHERE consumer_group = $1 AND topic = $2', [group, topic])
  return `${topic} to ${group}`
}

async function produceAgain(brokers, random) {
  const { Kafka, logLevel } = (await import('kafkajs')).default
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 2 } })
  const admin = kafka.admin()
  const producer = kafka.producer()
  const consumer = kafka.consumer({ groupId: `chaos-${random.number()}` })
  try {
    await Promise.all([admin.connect(), producer.connect(), consumer.connect()])
    const names = (await admin.listTopics()).filter(name => /^[a-z]+\.[a-z]+$/.test(name)).sort()
    const topics = await Promise.all(names.map(async topic => ({ topic, ends: await admin.fetchTopicOffsets(topic) })))
    const withEvents = topics.filter(({ ends }) => ends.some(hasMessages))
    if (withEvents.length === 0) return false
    const { topic, ends } = random.oneOf(withEvents)
    const messages = await readAll(consumer, topic, ends)
    for (const [partition, each] of messages)
      if (each.length > 0) await producer.send({ topic, messages: each.map(message => ({ ...message, partition })) })
    return `${topic}, ${[...messages.values()].flat().length} events`
  } finally {
    for (const client of [admin, producer, consumer]) await client.disconnect().catch(() => {})
  }
}

/** Whether a partition has messages. */
const hasMessages = ({ low, high }) => Number(high) > Number(low)

/** Every message below `ends`, by partition. At least one has messages. */
async function readAll(consumer, topic, ends) {
  const found = new Map(ends.map(({ partition }) => [partition, []]))
  const open = new Set(ends.filter(hasMessages).map(({ partition }) => partition))
  await consumer.subscribe({ topic, fromBeginning: true })
  await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the topic could not be read in time')), 10_000).unref()
    const highOf = new Map(ends.map(({ partition, high }) => [partition, Number(high)]))
    consumer
      .run({
        eachMessage: async ({ partition, message }) => {
          const { key, value, headers, timestamp, offset } = message
          if (Number(offset) < highOf.get(partition)) found.get(partition).push({ key, value, headers, timestamp })
          if (Number(offset) + 1 >= highOf.get(partition)) open.delete(partition)
          if (open.size === 0) resolve(undefined)
        },
      })
      .catch(reject)
  })
  return found
}
