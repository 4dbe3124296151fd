import { FakeKafka } from '../../test/fake-kafka.js'
import type { KafkaDeadLetters } from './kafka-dead-letters.js'
import { KafkaGroup } from './kafka-group.js'

const TOPIC = 'escrow.transaction'

it('reads on from a partition that it keeps, when events came while a rebalance went on', async () => {
  const kafka = new FakeKafka(TOPIC)
  const settings = { group: 'g', topics: [TOPIC] as const, handler: async () => undefined, retryDelaysMs: [] }
  const group = new KafkaGroup(kafka.source, settings, {} as KafkaDeadLetters)
  group.start()
  const consumer = await kafka.running()
  consumer.emit('GROUP_JOIN')
  consumer.emit('REBALANCING')
  // kafkajs fetches on with the old partitions when its first attempt to join again fails.
  const resume = jest.fn()
  await consumer.eachBatch!({ batch: { topic: TOPIC, partition: 0 }, pause: () => resume } as never)
  expect(resume).not.toHaveBeenCalled()
  consumer.emit('GROUP_JOIN')
  expect(resume).toHaveBeenCalledTimes(1)
  await group.close()
})
