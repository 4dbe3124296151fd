import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { startKafka } from '@holdfast/engines/kafka'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { effectThrough, KafkaTests, relay, round } from '../../test/kafka-tests.js'
import { LostAnswers } from '../../test/lost-answers.js'
import { dealEvent, eventually, stored } from '../../test/scratch-log.js'
import { expectInOrder, newGroup, titleOf, topics } from '../../test/transport-tests.js'
import { type Delivery } from '../transport.js'
import { kafkaClient } from './kafka-client.js'
import { KafkaProducer } from './kafka-producer.js'
import { createTopics, readableTopics } from './kafka-topics.js'

describe('the transport on Kafka, when the broker fails', () => {
  const tests = new KafkaTests()

  it('loses no acknowledged event when the broker is killed, and goes on within seconds', async () => {
    const [writer, reader] = [await tests.transport(), await tests.transport()]
    const live: EventEnvelope[] = []
    await reader.subscribe({ group: newGroup(), topics, handler: effectThrough(tests.database) })
    await (await tests.transport('gateway')).tail({ topics, handler: event => void live.push(event) })
    for (let nth = 0; nth < 5; nth++) await relay(writer, round(20, nth))
    const killed = tests.kafka.engine.process.kill()
    const writing = (async () => {
      for (let nth = 5; nth < 10; nth++) await relay(writer, round(20, nth))
    })()
    await killed
    await tests.kafka.engine.process.start()
    await eventually(() => isDoneWithin(1, writing), 15_000)
    await tests.expectEffects(20, 10)
    await eventually(() => new Set(live.map(event => event.id)).size === 200, 30_000)
    expectInOrder(live, 20, 10)
  })

  it('goes on after a broker that answered nothing for longer than the session, and drops no event', async () => {
    const reader = await tests.transport()
    // It gives up soon, and the broker may carry its request out later.
    const impatient = new KafkaProducer(tests.kafka.settings, 'escrow-svc', 1)
    const live: EventEnvelope[] = []
    await reader.subscribe({ group: newGroup(), topics, handler: effectThrough(tests.database) })
    await (await tests.transport('gateway')).tail({ topics, handler: event => void live.push(event) })
    await relay({ publish: batch => impatient.send(batch) }, round(20, 0))
    await tests.expectEffects(20, 1)
    tests.kafka.engine.process.pause()
    const longerThanTheSession = sleep(11_000)
    const unacknowledged = round(20, 1)
    await expect(impatient.send(unacknowledged)).rejects.toThrow()
    await longerThanTheSession
    tests.kafka.engine.process.resume()
    await relay(reader, unacknowledged)
    await tests.expectEffects(20, 2)
    // With the sequence numbers of a request that was carried out, the broker would acknowledge these events and drop them.
    await relay({ publish: batch => impatient.send(batch) }, round(20, 2))
    await tests.expectEffects(20, 3)
    await eventually(() => new Set(live.map(event => event.id)).size === 60)
    expectInOrder(live, 20, 3)
    await impatient.stop()
  })

  it('has events once that it sends again because the broker’s answer was lost', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-kafka-'))
    const answers = new LostAnswers()
    const engine = await startKafka(folder, port => answers.open(port))
    const settings = { ...tests.kafka.settings, brokers: [engine.broker] }
    const admin = kafkaClient(settings, 'test').admin()
    const producer = new KafkaProducer(settings, 'escrow-svc')
    try {
      await admin.connect()
      await createTopics(admin, topics, settings)
      await eventually(async () => (await readableTopics(admin, topics)).length === 1)
      const count = async () =>
        (await admin.fetchTopicOffsets(topics[0])).reduce((sum, { offset }) => sum + Number(offset), 0)
      await producer.send(round(20, 0))
      const before = await count()
      answers.losesNext = true
      await producer.send(round(20, 1))
      expect(answers.losesNext).toBe(false)
      expect(await count()).toBe(before + 20)
    } finally {
      await producer.stop()
      await admin.disconnect()
      await engine.process.kill()
      answers.close()
      fs.rmSync(folder, { recursive: true, force: true })
    }
  })

  it('publishes a batch that is larger than what a broker accepts for a partition', async () => {
    const reader = await tests.transport()
    const seen: EventEnvelope[] = []
    const large = 'x'.repeat(200_000)
    const events = Array.from({ length: 10 }, (_, nth) => {
      const event = dealEvent(1, nth)
      return { ...event, payload: { ...event.payload, large } }
    })
    await reader.publish(events.map(stored))
    await reader.subscribe({ group: newGroup(), topics, handler: async ({ event }) => void seen.push(event) })
    await eventually(() => seen.length === 10)
    expectInOrder(seen, 1, 10)
  })

  it('creates topics as configured, also when several processes do so at once, and again after they were deleted', async () => {
    const [writer, reader] = [await tests.transport(), await tests.transport()]
    const seen: string[] = []
    await reader.subscribe({ group: newGroup(), topics, handler: async ({ event }) => void seen.push(titleOf(event)) })
    await relay(writer, round(1, 0))
    await eventually(() => seen.length === 1)
    await tests.kafka.admin.deleteTopics({ topics: [...topics] })
    await eventually(async () => !(await tests.kafka.admin.listTopics()).includes(topics[0]))
    await Promise.all([1, 2, 3].map(() => createTopics(tests.kafka.admin, topics, tests.kafka.settings)))
    await eventually(async () => (await readableTopics(tests.kafka.admin, topics)).length === 1)
    const { topics: made } = await tests.kafka.admin.fetchTopicMetadata({ topics: [...topics] })
    expect(made[0]!.partitions).toHaveLength(tests.kafka.settings.partitions)
    await relay(writer, round(1, 1))
    await eventually(() => seen.length === 2)
    expect(seen).toEqual(['0', '1'])
  })

  it('reads the topics that exist, and those that are created later', async () => {
    const reader = await tests.transport()
    const seen: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => void seen.push(event.topic)
    await reader.subscribe({ group: newGroup(), topics: ['listing.listing', ...topics], handler })
    await relay(reader, round(1, 0))
    await eventually(() => seen.length === 1)
    const listing = await tests.transport('listing-svc')
    await relay(listing, [stored({ ...dealEvent(1, 0), topic: 'listing.listing' })])
    await eventually(() => seen.length === 2)
    expect(seen).toEqual(['escrow.transaction', 'listing.listing'])
  })

  it('starts and stops while the broker is away', async () => {
    await tests.kafka.engine.process.kill()
    const seen: string[] = []
    const [doomed, early] = [tests.make('escrow-svc'), await tests.transport()]
    for (const each of [doomed, early]) {
      await each.start()
      await each.subscribe({ group: newGroup(), topics, handler: async ({ event }) => void seen.push(event.id) })
    }
    const event = stored(dealEvent(1, 0))
    const unpublished = doomed.publish([event]).catch(() => 'refused')
    const published = relay(early, [event])
    await expect(doomed.tail({ topics, handler: () => {} })).rejects.toThrow()
    expect(await isDoneWithin(10_000, doomed.stop())).toBe(true)
    await tests.kafka.engine.process.start()
    await published
    await eventually(() => seen.includes(event.id))
    await unpublished
  })
})
