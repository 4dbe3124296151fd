import type { Topic } from '@holdfast/contracts/events'
import type { Admin } from 'kafkajs'
import type { GroupLag } from '../transport.js'
import { readableTopics } from './kafka-topics.js'

/** The age of the oldest event is measured to an eighth, and up to this many seconds. */
const OLDEST_SECONDS = 2 ** 21
const STEPS_BETWEEN_POWERS = 3

/** A partition with events that the group has not handled; `next` is the first of them. */
interface Behind {
  readonly topic: string
  readonly partition: number
  readonly next: bigint
}

/**
 * What a group has not handled, from the offsets that it has committed. Events of types that it skips count until it has skipped
 * them.
 *
 * @param topics those that the group reads; every topic that it has committed when left out
 */
export async function lagOf(
  admin: Admin,
  group: string,
  topics?: readonly Topic[],
): Promise<Pick<GroupLag, 'events' | 'oldestSeconds'>> {
  const read = topics && (await readableTopics(admin, topics))
  if (read?.length === 0) return { events: 0, oldestSeconds: 0 }
  const committed = await admin.fetchOffsets({ groupId: group, ...(read && { topics: read }) })
  const behind: Behind[] = []
  let events = 0n
  for (const { topic, partitions } of committed) {
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const offset = BigInt(partitions.find(found => found.partition === partition)?.offset ?? -1)
      // Events that Kafka has deleted meanwhile do not count. A group that has committed nothing begins at the oldest.
      const next = offset < BigInt(low) ? BigInt(low) : offset
      if (next >= BigInt(high)) continue
      events += BigInt(high) - next
      behind.push({ topic, partition, next })
    }
  }
  return { events: Number(events), oldestSeconds: behind.length === 0 ? 0 : await oldestSecondsOf(admin, behind) }
}

/**
 * The age of the oldest of these events. Kafka does not say how old an event is, but which is the first one after a given time; so
 * this looks for the time.
 */
async function oldestSecondsOf(admin: Admin, behind: readonly Behind[]): Promise<number> {
  const now = Date.now()
  const topics = [...new Set(behind.map(({ topic }) => topic))]
  const isAnyOlderThan = async (seconds: number): Promise<boolean> => {
    for (const topic of topics) {
      const firsts = await admin.fetchTopicOffsetsByTimestamp(topic, Math.round(now - seconds * 1_000))
      const isOlder = ({ topic: of, partition, next }: Behind) =>
        of === topic && BigInt(firsts.find(first => first.partition === partition)?.offset ?? -1) > next
      if (behind.some(isOlder)) return true
    }
    return false
  }
  let upper = 1
  while (upper < OLDEST_SECONDS && (await isAnyOlderThan(upper))) upper *= 2
  let lower = upper === 1 ? 0 : upper / 2
  for (let step = 0; step < STEPS_BETWEEN_POWERS; step++) {
    const middle = (lower + upper) / 2
    if (await isAnyOlderThan(middle)) lower = middle
    else upper = middle
  }
  return lower
}
