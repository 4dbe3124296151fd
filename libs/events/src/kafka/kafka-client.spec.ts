import kafkajs from 'kafkajs'
import { askAgain } from './kafka-client.js'

const { KafkaJSGroupCoordinatorNotFound, KafkaJSNonRetriableError } = kafkajs

it('asks again while a broker that was just started does not know the coordinator of a group', async () => {
  // kafkajs declares it without the message that it needs.
  const NotFound: new (message: string) => Error = KafkaJSGroupCoordinatorNotFound
  const ask = jest.fn(async () => 'known').mockRejectedValueOnce(new NotFound('not yet'))
  expect(await askAgain(ask)).toBe('known')
})

it('does not ask again after an error that lasts', async () => {
  const ask = jest.fn(async () => {
    throw new KafkaJSNonRetriableError('never')
  })
  await expect(askAgain(ask)).rejects.toThrow('never')
  expect(ask).toHaveBeenCalledTimes(1)
})
