import { log } from '@holdfast/service-kit/telemetry/logging'
import { INBOX_DAYS } from '../inbox/inbox.js'
import { createTopics, RETENTION_DAYS, SEGMENT_DAYS } from './kafka-topics.js'

const DAY_MS = 86_400_000
/** A person who asks for it must be erased within a month. Events that name them are gone by then. */
const SHORTEST_MONTH_DAYS = 28

test('no event outlives the memory of the inbox, nor the month within which a person must be erased', async () => {
  const created: { topics: { configEntries: { name: string; value: string }[] }[] }[] = []
  const admin = {
    listTopics: async () => [],
    createTopics: async (options: (typeof created)[number]) => created.push(options),
  }
  const settings = { brokers: [], tls: false, partitions: 1, replication: 1 }
  await createTopics(admin as never, ['identity.user'], settings)
  const config = new Map(created[0]!.topics[0]!.configEntries.map(({ name, value }) => [name, Number(value)]))
  const longestDays = (config.get('retention.ms')! + config.get('segment.ms')!) / DAY_MS
  expect(longestDays).toBe(RETENTION_DAYS + SEGMENT_DAYS)
  expect(longestDays).toBeLessThan(INBOX_DAYS)
  expect(longestDays).toBeLessThan(SHORTEST_MONTH_DAYS)
})

test('a topic that has fewer copies or other partitions than are configured is kept, and the log says so', async () => {
  const topic = (name: string, ...copies: number[]) => ({
    name,
    partitions: copies.map(count => ({ replicas: Array.from({ length: count }, (_, id) => id) })),
  })
  const existing = [
    topic('identity.user', 3, 3),
    topic('listing.listing', 3, 2),
    topic('escrow.transaction', 3, 3, 3),
    topic('dispute.dispute', 4, 4),
  ]
  const admin = {
    listTopics: async () => existing.map(({ name }) => name),
    fetchTopicMetadata: async () => ({ topics: existing }),
  }
  const warn = jest.fn()
  const child = jest.spyOn(log, 'child').mockReturnValue({ warn } as never)
  const topics = ['identity.user', 'listing.listing', 'escrow.transaction', 'dispute.dispute'] as const
  await createTopics(admin as never, topics, { brokers: [], tls: false, partitions: 2, replication: 3 })
  child.mockRestore()
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
    { topic: 'listing.listing', copies: 2, configured: 3 },
    { topic: 'escrow.transaction', partitions: 3, configured: 2 },
  ])
})
