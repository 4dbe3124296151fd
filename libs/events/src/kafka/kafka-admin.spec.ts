import type { Admin } from 'kafkajs'
import { KafkaAdmin } from './kafka-admin.js'

const client = (listTopics: () => Promise<string[]>) =>
  ({
    connect: jest.fn(async () => undefined),
    disconnect: jest.fn(async () => undefined),
    listTopics,
  }) as unknown as Admin

const topics = (admin: Admin) => admin.listTopics()

it('replaces a client whose call has failed, and keeps one that answers', async () => {
  const silent = client(async () => {
    throw new Error('Broker not connected')
  })
  const answering = client(async () => ['escrow.transaction'])
  const made = [silent, answering]
  const admin = new KafkaAdmin(() => made.shift()!)
  await expect(admin.use(topics)).rejects.toThrow('Broker not connected')
  expect(silent.disconnect).toHaveBeenCalledTimes(1)
  for (const _ of [1, 2]) expect(await admin.use(topics)).toEqual(['escrow.transaction'])
  await admin.close()
  expect(answering.disconnect).toHaveBeenCalledTimes(1)
})
