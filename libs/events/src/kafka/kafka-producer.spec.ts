import { refuseUnsent } from './kafka-producer.js'

const messages = [0, 1].map(partition => ({ value: '{}', partition }))
const answerOf = (partition: number) => ({ topicName: 'escrow.transaction', partition, errorCode: 0 })

it('counts events as published when every partition has acknowledged them', () => {
  refuseUnsent([{ topic: 'escrow.transaction', messages }], [answerOf(0), answerOf(1)])
})

it('does not count events as published when kafkajs has not sent those of a partition', () => {
  const refuse = () => refuseUnsent([{ topic: 'escrow.transaction', messages }], [answerOf(0)])
  expect(refuse).toThrow('escrow.transaction/1')
})
