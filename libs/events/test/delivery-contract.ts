import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { listDeadLetters } from '../src/embedded/dead-letters.js'
import { type Delivery, type EventTransport, UnknownTypeError } from '../src/transport.js'
import { dealEvent, eventually, stored } from './scratch-log.js'
import {
  expectInOrder,
  keysOfOnePartition,
  newGroup,
  publish,
  startsTransports,
  type TransportTests,
  titleOf,
  topics,
} from './transport-tests.js'

/** The keys from here on are those of events that only show that a process reads. */
const FIRST_KEY_OF_OTHERS = 100

/** What every transport promises about events that are handled. It is called within a `describe`. */
export function promisesOfDelivery(tests: TransportTests): void {
  const transport = startsTransports(tests)

  it('gives each event to one process of each group, in order per key', async () => {
    const writer = await transport()
    const [first, second] = [newGroup(), newGroup()]
    const seen: { group: string; reader: EventTransport; event: EventEnvelope }[] = []
    for (const group of [first, first, second]) {
      const reader = await transport()
      const handler = async ({ event }: Delivery): Promise<void> => {
        await sleep(Math.random() * 3)
        seen.push({ group, reader, event })
      }
      await reader.subscribe({ group, topics, handler })
      // On Kafka the events of a group are given out anew when a process joins. So this waits until it has joined.
      await eventually(async () => {
        await writer.publish(Array.from({ length: 20 }, (_, n) => stored(dealEvent(FIRST_KEY_OF_OTHERS + n, 0))))
        return seen.some(each => each.reader === reader)
      })
    }
    await publish(writer, 30, 10)
    for (const group of [first, second]) {
      const given = () => seen.filter(each => each.group === group && Number(each.event.key) < FIRST_KEY_OF_OTHERS)
      await eventually(() => new Set(given().map(({ event }) => event.id)).size === 300)
      const events = given().map(({ event }) => event)
      expectInOrder(events, 30, 10)
      const readerOf = new Map(given().map(({ event, reader }) => [event.id, reader]))
      const givenToBoth = given().filter(({ event, reader }) => readerOf.get(event.id) !== reader)
      expect(givenToBoth.map(({ event }) => event.id)).toEqual([])
      if (tests.deliversOnce) expect(events).toHaveLength(300)
      const { reader } = given()[0]!
      // The writer does not know the group's topics. On Kafka it sees no lag before the group has committed something.
      await eventually(async () => (await reader.lag(group)).events === 0)
      expect(await writer.lag(group)).toEqual({ events: 0, oldestSeconds: 0, waitingSeconds: 0 })
    }
  })

  it('starts a new group at the oldest event, and continues after its last event after a restart', async () => {
    const writer = await transport()
    const group = newGroup()
    await publish(writer, 5, 4)
    const seen = { before: [] as EventEnvelope[], after: [] as EventEnvelope[] }
    const first = await writer.subscribe({
      group,
      topics,
      handler: async ({ event }) => void seen.before.push(event),
    })
    await eventually(() => seen.before.length === 20)
    const others: EventEnvelope[] = []
    await writer.subscribe({
      group: newGroup(),
      topics,
      handler: async ({ event }) => void others.push(event),
    })
    await first.close()
    await writer.publish([stored(dealEvent(1, 4))])
    // A group that is not closed gets it.
    await eventually(() => others.some(event => titleOf(event) === '4'))
    expect(seen.before).toHaveLength(20)
    await (await transport()).subscribe({
      group,
      topics,
      handler: async ({ event }) => void seen.after.push(event),
    })
    await eventually(() => seen.after.length > 0)
    expect(seen.after.map(titleOf)).toEqual(['4'])
    expect(seen.before).toHaveLength(20)
  })

  it('skips types that need no handling', async () => {
    const reader = await transport()
    const group = newGroup()
    const seen: string[] = []
    const wanted = dealEvent(1, 1)
    const skipped = () => stored({ ...dealEvent(1, 0), type: 'escrow.transaction.shipped.v1' })
    await reader.publish([skipped(), stored(wanted), skipped()])
    await reader.subscribe({
      group,
      topics,
      skips: ['escrow.transaction.shipped.v1'],
      handler: async ({ event }) => void seen.push(event.id),
    })
    await eventually(async () => seen.length === 1 && (await reader.lag(group)).events === 0)
    expect(seen).toEqual([wanted.id])
  })

  it('keeps an event of a type that a process does not know for one that does, in the order of its key', async () => {
    const writer = await transport()
    const group = newGroup()
    const novel = 'escrow.transaction.novel.v1'
    const seen: { by: 'older' | 'newer'; event: EventEnvelope }[] = []
    let refused = 0
    const subscribe = async (by: 'older' | 'newer') => {
      const handler = async ({ event }: Delivery): Promise<void> => {
        if (by === 'older' && event.type === novel) {
          refused++
          throw new UnknownTypeError('novel')
        }
        seen.push({ by, event })
      }
      return (await transport()).subscribe({ group, topics, handler })
    }
    let rounds = 0
    const publishRound = (type?: string) => {
      const events = Array.from({ length: 20 }, (_, key) => dealEvent(key + 1, rounds))
      rounds++
      return writer.publish(events.map(event => stored({ ...event, type: type ?? event.type })))
    }
    const publishUntilReadBy = (release: 'older' | 'newer') =>
      eventually(async () => {
        if (seen.some(({ by }) => by === release)) return true
        await publishRound()
        return false
      })
    const older = await subscribe('older')
    await publishUntilReadBy('older')
    await publishRound(novel)
    await eventually(() => refused > 0)
    await subscribe('newer')
    await publishUntilReadBy('newer')
    await publishRound(novel)
    await publishRound()
    await older.close()
    await eventually(() => new Set(seen.map(({ event }) => event.id)).size === 20 * rounds)
    const events = seen.map(({ event }) => event)
    expectInOrder(events, 20, rounds)
    await eventually(async () => (await writer.lag(group)).events === 0)
    expect(await listDeadLetters(tests.log().admin)).toEqual([])
  })

  it('handles keys of one partition at the same time, and events of one key one after another', async () => {
    const [one, other] = keysOfOnePartition()
    const reader = await transport()
    const group = newGroup()
    const events = [dealEvent(one, 0), dealEvent(other, 0), dealEvent(one, 1), dealEvent(other, 1)]
    await reader.publish(events.map(stored))
    const running = new Set<string>()
    const overlaps: string[][] = []
    let handled = 0
    await reader.subscribe({
      group,
      topics,
      handler: async ({ event }) => {
        if (running.has(event.key)) overlaps.push([event.key, event.key, event.key])
        running.add(event.key)
        overlaps.push([...running])
        await sleep(20)
        running.delete(event.key)
        handled++
      },
    })
    await eventually(() => handled === 4)
    expect(overlaps.map(keys => keys.length)).toEqual([1, 2, 1, 2])
    await eventually(async () => (await reader.lag(group)).events === 0)
    expect(await reader.lag(group)).toEqual({ events: 0, oldestSeconds: 0, waitingSeconds: 0 })
  })

  it('handles other partitions while a handler is slow', async () => {
    const reader = await transport()
    const seen = new Set<string>()
    let begin = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    let release = () => {}
    const slow = new Promise<void>(resolve => {
      release = resolve
    })
    const handler = async ({ event }: Delivery): Promise<void> => {
      begin()
      if (event.key === '1') await slow
      seen.add(event.key)
    }
    await reader.subscribe({ group: newGroup(), topics, handler })
    await reader.publish([stored(dealEvent(1, 0))])
    await begun
    await publish(reader, 40, 1)
    await eventually(() => seen.size >= 30, 3_000)
    expect(seen.has('1')).toBe(false)
    release()
    await eventually(() => seen.size === 40)
  })

  it('finishes the running event when a subscription closes, and starts no other', async () => {
    const reader = await transport()
    const group = newGroup()
    const seen: string[] = []
    let begin = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    await reader.publish([dealEvent(1, 0), dealEvent(1, 1)].map(stored))
    const subscription = await reader.subscribe({
      group,
      topics,
      handler: async ({ event }) => {
        begin()
        await sleep(150)
        seen.push(titleOf(event))
      },
    })
    await begun
    await subscription.close()
    expect(seen).toEqual(['0'])
    expect((await reader.lag(group)).events).toBe(1)
  })

  it('sends all new events to the tail of every process', async () => {
    const writer = await transport()
    await publish(writer, 3, 1)
    const seen: EventEnvelope[][] = [[], []]
    for (const mine of seen) {
      const handler = (event: EventEnvelope): void => {
        mine.push(event)
        if (mine.length === 3) throw new Error('a failing tail handler does not stop the tail')
      }
      await (await transport('gateway')).tail({ topics, handler })
    }
    await publish(writer, 20, 10)
    await eventually(() => seen.every(mine => mine.length >= 200))
    for (const mine of seen) {
      expect(mine).toHaveLength(200)
      expectInOrder(mine, 20, 10)
    }
  })

  it('refuses to publish to the topic of another service', async () => {
    const listing = await transport('listing-svc')
    await expect(listing.publish([stored(dealEvent(1, 0))])).rejects.toThrow(/may not publish to escrow.transaction/)
  })
}
