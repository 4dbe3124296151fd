import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { afterEach, expect, it } from 'vitest'
import { listDeadLetters, requestReplay, requestReplayOfAll } from '../src/embedded/dead-letters.js'
import { PARTITIONS, partitionOf } from '../src/embedded/partition.js'
import { buryWaitingEvent, listWaitingEvents } from '../src/embedded/waiting-events.js'
import { type Delivery, type DeliveryHandler, type EventTransport, PoisonEventError } from '../src/transport.js'
import { dealEvent, eventually, type ScratchLog, stored } from './scratch-log.js'

export const FAST_RETRIES = [20, 20, 20, 20]

/** An outage of the tests outlasts more attempts than a faulty event gets. */
export const OUTAGE_ATTEMPTS = 7
export const tooManyConnections = (): Error =>
  Object.assign(new Error('sorry, too many clients already'), { code: '53300' })

export const titleOf = (event: EventEnvelope): string => (event.payload as { title: string }).title

/** Two deal ids whose events are in the same partition. */
export function keysOfOnePartition(): [number, number] {
  const partition = (key: number): number => partitionOf(String(key), PARTITIONS)
  for (let other = 2; ; other++) if (partition(other) === partition(1)) return [1, other]
}

export const topics = ['escrow.transaction'] as const

/** Publishes `perKey` events of each key, in batches of one event per key. */
export async function publish(by: EventTransport, keys: number, perKey: number): Promise<void> {
  for (let nth = 0; nth < perKey; nth++) {
    await by.publish(Array.from({ length: keys }, (_, key) => stored(dealEvent(key + 1, nth))))
  }
}

/** Expects `perKey` events of each key, in order. An event that was delivered again counts where it was seen first. */
export function expectInOrder(seen: readonly EventEnvelope[], keys: number, perKey: number): void {
  const once = [...new Map(seen.map(event => [event.id, event])).values()]
  for (let key = 1; key <= keys; key++) {
    const titles = once.filter(event => event.key === String(key)).map(titleOf)
    expect(titles).toEqual(Array.from({ length: perKey }, (_, nth) => String(nth)))
  }
}

let groups = 0
/** A name of a consumer group that no other test has used. */
export const newGroup = (): string => `group-${process.pid}-${++groups}`

/** What a test file provides for the tests of any transport. Before each test the log and the dead letters are empty. */
export interface TransportTests<T extends EventTransport = EventTransport> {
  readonly log: () => ScratchLog
  /** A new transport of a service, with `FAST_RETRIES`, not started. It is stopped after the test. */
  readonly make: (service: string) => T
  /** Whether an event is delivered again only after a failure. Otherwise also when processes of a group come and go. */
  readonly deliversOnce: boolean
}

/** Starts transports, and stops them after each test. */
export function startsTransports<T extends EventTransport>({
  make,
}: TransportTests<T>): (service?: string) => Promise<T> {
  const transports: T[] = []
  afterEach(async () => {
    await Promise.all(transports.splice(0).map(transport => transport.stop()))
  })
  return async (service = 'escrow-svc') => {
    const made = make(service)
    transports.push(made)
    await made.start()
    return made
  }
}

/** What every transport promises. It is called within a `describe`. */
export function promisesOfEveryTransport(tests: TransportTests): void {
  const transport = startsTransports(tests)
  const letters = () => listDeadLetters(tests.log().admin)

  it('gives each event to one process of each group, in order per key', async () => {
    const writer = await transport()
    const [first, second] = [newGroup(), newGroup()]
    const seen = { [first]: [] as EventEnvelope[], [second]: [] as EventEnvelope[] }
    for (const group of [first, first, second]) {
      const reader = await transport()
      const handler = async ({ event }: Delivery): Promise<void> => {
        await sleep(Math.random() * 3)
        seen[group]!.push(event)
      }
      await reader.subscribe({ group, topics, handler })
      if (group === second) await eventually(async () => (await reader.lag(second)).events === 0)
    }
    await publish(writer, 30, 10)
    for (const group of [first, second]) {
      await eventually(() => new Set(seen[group]!.map(event => event.id)).size === 300)
      expectInOrder(seen[group]!, 30, 10)
      if (tests.deliversOnce) expect(seen[group]).toHaveLength(300)
      await eventually(async () => (await writer.lag(group)).events === 0)
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

  it('tries a failing event five times while its key waits, makes it a dead letter, and goes on', async () => {
    const reader = await transport()
    const group = newGroup()
    const seen: string[] = []
    const attempts: number[] = []
    const bad = dealEvent(1, 1)
    await reader.publish([dealEvent(1, 0), bad, dealEvent(1, 2)].map(stored))
    await reader.subscribe({
      group,
      topics,
      handler: async ({ event, attempt }) => {
        if (event.id === bad.id) {
          attempts.push(attempt)
          expect(seen).toEqual(['0'])
          throw new Error('this one is bad')
        }
        seen.push(titleOf(event))
      },
    })
    await eventually(() => seen.length === 2)
    expect(seen).toEqual(['0', '2'])
    expect(attempts).toEqual([1, 2, 3, 4, 5])
    expect(await letters()).toHaveLength(1)
    expect((await letters())[0]).toMatchObject({ group, eventId: bad.id, attempts: 5, payload: bad.payload })
    expect((await letters())[0]!.error).toContain('this one is bad')
  })

  it('tries an event again for as long as an outage lasts, and makes it no dead letter', async () => {
    const reader = await transport()
    const group = newGroup()
    const event = dealEvent(1, 0)
    const attempts: number[] = []
    await reader.publish([stored(event)])
    const handler = async ({ attempt }: Delivery): Promise<void> => {
      attempts.push(attempt)
      if (attempt <= OUTAGE_ATTEMPTS) throw tooManyConnections()
      if (attempt < OUTAGE_ATTEMPTS + 5) throw new Error('a fault that only four attempts meet')
    }
    await reader.subscribe({ group, topics, handler })
    await eventually(async () => attempts.length === OUTAGE_ATTEMPTS + 5 && (await reader.lag(group)).events === 0)
    expect(attempts).toEqual(attempts.map((_, i) => i + 1))
    expect(await letters()).toEqual([])
  })

  it('handles the events of other keys while an outage holds one key back, and keeps the order of that key', async () => {
    const [held, other] = keysOfOnePartition()
    const reader = await transport()
    const group = newGroup()
    let outage = true
    const seen: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (event.key === String(held) && outage) throw tooManyConnections()
      const label = `${event.key === String(held) ? 'held' : 'other'} ${titleOf(event)}`
      if (!seen.includes(label)) seen.push(label)
    }
    await reader.publish([0, 1, 2].flatMap(nth => [dealEvent(held, nth), dealEvent(other, nth)]).map(stored))
    await reader.subscribe({ group, topics, handler })
    await eventually(() => seen.length === 3)
    expect(seen).toEqual(['other 0', 'other 1', 'other 2'])
    await eventually(async () => (await reader.lag(group)).waitingSeconds > 0)
    outage = false
    await eventually(async () => (await reader.lag(group)).events === 0)
    expect(seen.slice(3)).toEqual(['held 0', 'held 1', 'held 2'])
    expect((await reader.lag(group)).waitingSeconds).toBe(0)
  })

  it('makes an event that can never be handled a dead letter at once', async () => {
    const reader = await transport()
    let attempts = 0
    await reader.publish([stored(dealEvent(1, 0))])
    const handler = async (): Promise<void> => {
      attempts++
      throw new PoisonEventError('no attempt will help')
    }
    await reader.subscribe({ group: newGroup(), topics, handler })
    await eventually(async () => (await letters()).length === 1)
    expect(attempts).toBe(1)
  })

  it('replays a dead letter on request, and keeps the new error when it fails again', async () => {
    const reader = await transport()
    let mended = false
    const handler = async ({ attempt }: Delivery): Promise<void> => {
      if (!mended) throw attempt < 5 ? new PoisonEventError('broken') : new Error('still broken')
    }
    await reader.publish([stored(dealEvent(1, 0))])
    await reader.subscribe({ group: newGroup(), topics, handler })
    await eventually(async () => (await letters()).length === 1)
    const { id } = (await letters())[0]!
    const { admin } = tests.log()
    expect(await requestReplay(admin, id)).toBe(true)
    await eventually(async () => (await letters())[0]!.attempts === 2)
    expect((await letters())[0]).toMatchObject({ replayRequestedAt: null, replayedAt: null })
    mended = true
    expect(await requestReplay(admin, id)).toBe(true)
    await eventually(async () => (await letters())[0]!.replayedAt !== null)
    expect(await requestReplay(admin, id)).toBe(false)
  })

  it('replays every dead letter on request, those of one key in order, and waits while an outage lasts', async () => {
    const reader = await transport()
    const group = newGroup()
    let state: 'faulty' | 'outage' | 'mended' = 'faulty'
    let duringOutage = 0
    const seen: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (state === 'faulty') throw new PoisonEventError('broken')
      if (state === 'outage') {
        duringOutage++
        throw tooManyConnections()
      }
      seen.push(titleOf(event))
    }
    await reader.publish([0, 1, 2].map(nth => stored(dealEvent(1, nth))))
    for (let n = 0; n < 2; n++) await (await transport()).subscribe({ group, topics, handler })
    await eventually(async () => (await letters()).length === 3)
    state = 'outage'
    expect(await requestReplayOfAll(tests.log().admin)).toBe(3)
    await eventually(() => duringOutage > OUTAGE_ATTEMPTS)
    state = 'mended'
    await eventually(async () => (await letters()).every(letter => letter.replayedAt !== null))
    expect(seen).toEqual(['0', '1', '2'])
    expect(await requestReplayOfAll(tests.log().admin)).toBe(0)
  })

  it('shows the event that a partition waits for, and makes it a dead letter when an operator decides so', async () => {
    const reader = await transport()
    const { admin } = tests.log()
    const group = newGroup()
    const stuck = dealEvent(1, 0)
    const seen: string[] = []
    await reader.publish([stuck, dealEvent(1, 1)].map(stored))
    await reader.subscribe({
      group,
      topics,
      handler: async ({ event }) => {
        if (event.id === stuck.id) throw tooManyConnections()
        seen.push(titleOf(event))
      },
    })
    await eventually(async () => (await listWaitingEvents(admin)).some(({ outages }) => outages > OUTAGE_ATTEMPTS))
    expect(await listWaitingEvents(admin)).toEqual([
      expect.objectContaining({ group, topic: stuck.topic, eventId: stuck.id, key: '1', eventsBehind: 1 }),
    ])
    expect(await buryWaitingEvent(admin, 'another group', stuck.id)).toBe(false)
    expect(seen).toEqual([])
    expect(await buryWaitingEvent(admin, group, stuck.id)).toBe(true)
    await eventually(() => seen.length === 1)
    await eventually(async () => (await listWaitingEvents(admin)).length === 0)
    expect(await letters()).toEqual([
      expect.objectContaining({ group, eventId: stuck.id, error: expect.stringContaining('too many clients') }),
    ])
    expect(await buryWaitingEvent(admin, group, stuck.id)).toBe(false)
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
