import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { expect, it } from 'vitest'
import type { Delivery, DeliveryHandler, EventTransport } from '../src/transport.js'
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

/** What every transport promises about events that are handled. It is called within a `describe`. */
export function promisesOfDelivery(tests: TransportTests): void {
  const transport = startsTransports(tests)

  it('gives each event to one process of each group, in order per key', async () => {
    const writer = await transport()
    const [first, second] = [newGroup(), newGroup()]
    const seen = { [first]: [] as EventEnvelope[], [second]: [] as EventEnvelope[] }
    const readers = new Map<string, EventTransport>()
    for (const group of [first, first, second]) {
      const reader = await transport()
      const handler = async ({ event }: Delivery): Promise<void> => {
        await sleep(Math.random() * 3)
        seen[group]!.push(event)
      }
      await reader.subscribe({ group, topics, handler })
      readers.set(group, reader)
      if (group === second) await eventually(async () => (await reader.lag(second)).events === 0)
    }
    await publish(writer, 30, 10)
    for (const group of [first, second]) {
      await eventually(() => new Set(seen[group]!.map(event => event.id)).size === 300)
      expectInOrder(seen[group]!, 30, 10)
      if (tests.deliversOnce) expect(seen[group]).toHaveLength(300)
      // The writer does not know the group's topics. On Kafka it sees no lag before the group has committed something.
      await eventually(async () => (await readers.get(group)!.lag(group)).events === 0)
      expect(await writer.lag(group)).toEqual({ events: 0, oldestSeconds: 0, waitingSeconds: 0 })
    }
  })

  it('starts a new group at the oldest event, and continues after its last event after a restart', async () => {
    const writer = await transport()
    const group = newGroup()
    await publish(writer, 5, 4)
    const seen: EventEnvelope[] = []
    const handler = async ({ event }: Delivery): Promise<void> => void seen.push(event)
    const first = await writer.subscribe({ group, topics, handler })
    await eventually(() => seen.length === 20)
    await first.close()
    await writer.publish([stored(dealEvent(1, 4))])
    await sleep(100)
    expect(seen).toHaveLength(20)
    await (await transport()).subscribe({ group, topics, handler })
    await eventually(() => seen.length === 21)
    expect(titleOf(seen[20]!)).toBe('4')
  })

  it('skips types that are not wanted', async () => {
    const reader = await transport()
    const group = newGroup()
    const seen: string[] = []
    const wanted = dealEvent(1, 1)
    const novel = () => stored({ ...dealEvent(1, 0), type: 'escrow.transaction.novel.v9' })
    await reader.publish([novel(), stored(wanted), novel()])
    await reader.subscribe({
      group,
      topics,
      types: [wanted.type],
      handler: async ({ event }) => void seen.push(event.id),
    })
    await eventually(async () => seen.length === 1 && (await reader.lag(group)).events === 0)
    expect(seen).toEqual([wanted.id])
  })

  it('loses no event of a type that the older of two releases does not know, when it is written after that release has gone', async () => {
    const writer = await transport()
    const group = newGroup()
    const novel = 'escrow.transaction.novel.v1'
    const known = dealEvent(1, 0).type
    const seen: EventEnvelope[] = []
    const handled = { byOlder: 0, byNewer: 0 }
    const handlerOf = (release: keyof typeof handled) => async (delivery: Delivery) => {
      handled[release]++
      seen.push(delivery.event)
    }
    const subscribe = async (types: string[], handler: DeliveryHandler) =>
      (await transport()).subscribe({ group, topics, types, handler })
    let rounds = 0
    const publishUntil = (isSoFar: () => boolean) =>
      eventually(async () => {
        if (isSoFar()) return true
        await writer.publish(Array.from({ length: 20 }, (_, key) => stored(dealEvent(key + 1, rounds))))
        rounds++
        return false
      })
    const older = await subscribe([known], handlerOf('byOlder'))
    await publishUntil(() => handled.byOlder > 0)
    await subscribe([known, novel], handlerOf('byNewer'))
    await publishUntil(() => handled.byNewer > 0)
    await older.close()
    await writer.publish(Array.from({ length: 20 }, (_, key) => stored({ ...dealEvent(key + 1, rounds), type: novel })))
    await eventually(() => new Set(seen.map(event => event.id)).size === 20 * (rounds + 1))
    expectInOrder(seen, 20, rounds + 1)
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
