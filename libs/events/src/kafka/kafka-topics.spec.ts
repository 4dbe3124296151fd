import { expect, test } from 'vitest'
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
