import kafkajs from 'kafkajs'
import { FakeKafka } from '../../test/fake-kafka.js'
import { KafkaTail } from './kafka-tail.js'

const { KafkaJSError } = kafkajs

const TOPIC = 'escrow.transaction'

it('does not deliver old events of a topic whose partition had no leader when the tail started', async () => {
  const kafka = new FakeKafka(TOPIC)
  kafka.leader = -1
  kafka.admin.fetchTopicOffsets.mockImplementation(async () => {
    const hadLeader = kafka.leader >= 0
    kafka.leader = 1
    if (!hadLeader) throw new KafkaJSError('there is no leader')
    return [{ partition: 0, high: '7' }]
  })
  const tail = new KafkaTail(kafka.source, 'gateway', { topics: [TOPIC], handler: () => {} })
  await tail.start()
  kafka.leader = 1
  const consumer = await kafka.running()
  consumer.emit('GROUP_JOIN', { memberAssignment: { [TOPIC]: [0] } })
  expect(consumer.seek).toHaveBeenCalledWith({ topic: TOPIC, partition: 0, offset: '7' })
  await tail.close()
})
