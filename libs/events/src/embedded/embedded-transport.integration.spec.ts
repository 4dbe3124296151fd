import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dealEvent, eventually, ScratchLog } from '../../test/scratch-log.js'
import { handleOnce } from '../inbox/inbox.js'
import { type Delivery, PoisonEventError, type StoredEvent } from '../transport.js'
import { listDeadLetters, requestReplay, requestReplayOfAll } from './dead-letters.js'
import { EmbeddedTransport, READER_DAYS } from './embedded-transport.js'
import { partitionOf } from './partition.js'
import { buryWaitingEvent, listWaitingEvents } from './waiting-events.js'

const FAST_RETRIES = [20, 20, 20, 20]

/** An outage of the tests outlasts more attempts than a faulty event gets. */
const OUTAGE_ATTEMPTS = 7
const tooManyConnections = (): Error => Object.assign(new Error('sorry, too many clients already'), { code: '53300' })

const stored = (event: EventEnvelope): StoredEvent => ({
  ...event,
  payload: JSON.stringify(event.payload),
  requestId: event.requestId ?? null,
  traceparent: event.traceparent ?? null,
})

const titleOf = (event: EventEnvelope): string => (event.payload as { title: string }).title

/** Two deal ids whose events are in the same partition. */
function keysOfOnePartition(): [number, number] {
  for (let other = 2; ; other++) if (partitionOf(String(other)) === partitionOf('1')) return [1, other]
}

describe('the embedded transport', () => {
  let log: ScratchLog
  const transports: EmbeddedTransport[] = []

  beforeAll(async () => {
    log = await ScratchLog.make()
    await log.admin.query('CREATE TABLE escrow.effect (event_id uuid, key text, title text, nth bigserial)')
  })
  beforeEach(async () => {
    await log.admin.query(
      'TRUNCATE events.log, events.cursor, events.dead_letter, escrow.inbox, escrow.effect; UPDATE events.head SET next = 1',
    )
  })
  afterEach(async () => {
    await Promise.all(transports.splice(0).map(transport => transport.stop()))
  })
  afterAll(() => log.drop())

  async function transport(service = 'escrow-svc'): Promise<EmbeddedTransport> {
    const made = new EmbeddedTransport({ databaseUrl: log.url, service, retryDelaysMs: FAST_RETRIES })
    transports.push(made)
    await made.start()
    return made
  }

  const topics = ['escrow.transaction'] as const

  /** Publishes `perKey` events of each key, in batches of one event per key. */
  async function publish(by: EmbeddedTransport, keys: number, perKey: number): Promise<void> {
    for (let nth = 0; nth < perKey; nth++) {
      await by.publish(Array.from({ length: keys }, (_, key) => stored(dealEvent(key + 1, nth))))
    }
  }

  function expectInOrder(seen: readonly EventEnvelope[], keys: number, perKey: number): void {
    expect(new Set(seen.map(event => event.id)).size).toBe(seen.length)
    for (let key = 1; key <= keys; key++) {
      const titles = seen.filter(event => event.key === String(key)).map(titleOf)
      expect(titles).toEqual(Array.from({ length: perKey }, (_, nth) => String(nth)))
    }
  }

  it('gives each event to one process of each group, in order per key', async () => {
    const writer = await transport()
    const seen = { first: [] as EventEnvelope[], second: [] as EventEnvelope[] }
    for (const group of ['first', 'first', 'second'] as const) {
      const reader = await transport()
      const handler = async ({ event }: Delivery): Promise<void> => {
        await sleep(Math.random() * 3)
        seen[group].push(event)
      }
      await reader.subscribe({ group, topics: [...topics], handler })
    }
    await publish(writer, 30, 10)
    await eventually(() => seen.first.length >= 300 && seen.second.length >= 300)
    expectInOrder(seen.first, 30, 10)
    expectInOrder(seen.second, 30, 10)
    await eventually(async () => (await writer.lag('first')).events === 0)
    expect(await writer.lag('first')).toEqual({ events: 0, oldestSeconds: 0, waitingSeconds: 0 })
  })

  it('starts a new group at the oldest event, and continues after its last event after a restart', async () => {
    const writer = await transport()
    await publish(writer, 5, 4)
    const seen: EventEnvelope[] = []
    const handler = async ({ event }: Delivery): Promise<void> => void seen.push(event)
    const first = await writer.subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(() => seen.length === 20)
    await first.close()
    await writer.publish([stored(dealEvent(1, 4))])
    await sleep(100)
    expect(seen).toHaveLength(20)
    await (await transport()).subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(() => seen.length === 21)
    expect(titleOf(seen[20]!)).toBe('4')
  })

  it('stores an event once, whether it is published again alone, in a batch, or by two relays at once', async () => {
    const [one, two] = [await transport(), await transport()]
    const events = Array.from({ length: 40 }, (_, nth) => stored(dealEvent((nth % 4) + 1, nth)))
    await Promise.all([one.publish(events), two.publish(events), two.publish(events.slice(0, 20))])
    await one.publish([events[0]!, events[0]!, stored(dealEvent(9, 0))])
    const { rows } = await log.admin.query('SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM events.log')
    expect(rows).toEqual([{ n: 41, ids: 41 }])
  })

  it('skips types that are not wanted', async () => {
    const reader = await transport()
    const seen: string[] = []
    const wanted = dealEvent(1, 1)
    await reader.publish([stored({ ...dealEvent(1, 0), type: 'escrow.transaction.novel.v9' }), stored(wanted)])
    await reader.subscribe({
      group: 'g',
      topics: [...topics],
      types: [wanted.type],
      handler: async ({ event }) => void seen.push(event.id),
    })
    await eventually(() => seen.length === 1)
    expect(seen).toEqual([wanted.id])
  })

  it('handles keys of one partition at the same time, and events of one key one after another', async () => {
    const [one, other] = keysOfOnePartition()
    const reader = await transport()
    const events = [dealEvent(one, 0), dealEvent(other, 0), dealEvent(one, 1), dealEvent(other, 1)]
    await reader.publish(events.map(stored))
    const running = new Set<string>()
    const overlaps: string[][] = []
    let handled = 0
    await reader.subscribe({
      group: 'g',
      topics: [...topics],
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
    await eventually(async () => (await reader.lag('g')).events === 0)
    expect(await reader.lag('g')).toEqual({ events: 0, oldestSeconds: 0, waitingSeconds: 0 })
  })

  it('handles many events in one dbTx, without duplicates and without those handled before', async () => {
    const dataSource = await log.dataSource('escrow')
    try {
      const [known, fresh] = [dealEvent(1, 0), dealEvent(2, 0)]
      await handleOnce(dataSource, 'effects', [known], async () => {})
      const seen: string[] = []
      const deliveries = [known, fresh, fresh]
      const work = async (news: readonly EventEnvelope[]) => void seen.push(...news.map(({ id }) => id))
      expect(await handleOnce(dataSource, 'effects', deliveries, work)).toBe(1)
      expect(await handleOnce(dataSource, 'effects', deliveries, work)).toBe(0)
      expect(seen).toEqual([fresh.id])
    } finally {
      await dataSource.destroy()
    }
  })

  it('has one effect per event although deliveries repeat and connections are terminated', async () => {
    const dataSource = await log.dataSource('escrow')
    let deliveries = 0
    const handler = async ({ event }: Delivery): Promise<void> => {
      deliveries++
      await handleOnce(dataSource, 'effects', [event], async (_, manager) => {
        await manager.query('INSERT INTO effect (event_id, key, title) VALUES ($1, $2, $3)', [
          event.id,
          event.key,
          titleOf(event),
        ])
      })
    }
    const writer = await transport()
    for (let n = 0; n < 2; n++)
      await (await transport('listing-svc')).subscribe({ group: 'g', topics: [...topics], handler })
    for (let round = 0; round < 25; round++) {
      await writer.publish(Array.from({ length: 20 }, (_, key) => stored(dealEvent(key + 1, round))))
      if (round % 5 === 4) await log.terminate('listing-svc-%')
    }
    await eventually(async () => (await writer.lag('g')).events === 0)
    await dataSource.destroy()
    const { rows } = await log.admin.query<{ key: string; titles: string[] }>(
      'SELECT key, array_agg(title ORDER BY nth) AS titles FROM escrow.effect GROUP BY key',
    )
    expect(rows).toHaveLength(20)
    for (const row of rows) expect(row.titles).toEqual(Array.from({ length: 25 }, (_, nth) => String(nth)))
    expect(deliveries).toBeGreaterThanOrEqual(500)
  }, 30_000)

  it('subscribes although the database ends the session that subscribes', async () => {
    const reader = await transport()
    const holder = await log.admin.connect()
    await holder.query('BEGIN; LOCK events.cursor')
    const titles: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      titles.push(titleOf(event))
    }
    const subscribed = reader.subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(async () => (await log.terminate('escrow-svc-events')) > 0)
    await holder.query('ROLLBACK')
    holder.release()
    await subscribed
    await publish(reader, 1, 2)
    await eventually(() => titles.length === 2)
  })

  it('tries a failing event five times while its key waits, makes it a dead letter, and goes on', async () => {
    const reader = await transport()
    const seen: string[] = []
    const attempts: number[] = []
    const bad = dealEvent(1, 1)
    await reader.publish([dealEvent(1, 0), bad, dealEvent(1, 2)].map(stored))
    await reader.subscribe({
      group: 'g',
      topics: [...topics],
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
    const letters = await listDeadLetters(log.admin)
    expect(letters).toHaveLength(1)
    expect(letters[0]).toMatchObject({ group: 'g', eventId: bad.id, attempts: 5, payload: bad.payload })
    expect(letters[0]!.error).toContain('this one is bad')
  })

  it('tries an event again for as long as an outage lasts, and makes it no dead letter', async () => {
    const reader = await transport()
    const event = dealEvent(1, 0)
    const attempts: number[] = []
    await reader.publish([stored(event)])
    const handler = async ({ attempt }: Delivery): Promise<void> => {
      attempts.push(attempt)
      if (attempt <= OUTAGE_ATTEMPTS) throw tooManyConnections()
      if (attempt < OUTAGE_ATTEMPTS + 5) throw new Error('a fault that only four attempts meet')
    }
    await reader.subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(async () => attempts.length === OUTAGE_ATTEMPTS + 5 && (await reader.lag('g')).events === 0)
    expect(attempts).toEqual(attempts.map((_, i) => i + 1))
    expect(await listDeadLetters(log.admin)).toEqual([])
  })

  it('handles the events of other keys while an outage holds one key back, and keeps the order of that key', async () => {
    const [held, other] = keysOfOnePartition()
    const reader = await transport()
    let outage = true
    const seen: string[] = []
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (event.key === String(held) && outage) throw tooManyConnections()
      const label = `${event.key === String(held) ? 'held' : 'other'} ${titleOf(event)}`
      if (!seen.includes(label)) seen.push(label)
    }
    await reader.publish([0, 1, 2].flatMap(nth => [dealEvent(held, nth), dealEvent(other, nth)]).map(stored))
    await reader.subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(() => seen.length === 3)
    expect(seen).toEqual(['other 0', 'other 1', 'other 2'])
    await eventually(async () => (await reader.lag('g')).waitingSeconds > 0)
    outage = false
    await eventually(async () => (await reader.lag('g')).events === 0)
    expect(seen.slice(3)).toEqual(['held 0', 'held 1', 'held 2'])
    expect((await reader.lag('g')).waitingSeconds).toBe(0)
  })

  it('makes an event that can never be handled a dead letter at once', async () => {
    const reader = await transport()
    let attempts = 0
    await reader.publish([stored(dealEvent(1, 0))])
    const handler = async (): Promise<void> => {
      attempts++
      throw new PoisonEventError('no attempt will help')
    }
    await reader.subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(async () => (await listDeadLetters(log.admin)).length === 1)
    expect(attempts).toBe(1)
  })

  it('replays a dead letter on request, and keeps the new error when it fails again', async () => {
    const reader = await transport()
    let mended = false
    const handler = async ({ attempt }: Delivery): Promise<void> => {
      if (!mended) throw attempt < 5 ? new PoisonEventError('broken') : new Error('still broken')
    }
    await reader.publish([stored(dealEvent(1, 0))])
    await reader.subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(async () => (await listDeadLetters(log.admin)).length === 1)
    const { id } = (await listDeadLetters(log.admin))[0]!
    expect(await requestReplay(log.admin, id)).toBe(true)
    await eventually(async () => (await listDeadLetters(log.admin))[0]!.attempts === 2)
    expect((await listDeadLetters(log.admin))[0]).toMatchObject({ replayRequestedAt: null, replayedAt: null })
    mended = true
    expect(await requestReplay(log.admin, id)).toBe(true)
    await eventually(async () => (await listDeadLetters(log.admin))[0]!.replayedAt !== null)
    expect(await requestReplay(log.admin, id)).toBe(false)
  })

  it('replays every dead letter on request, those of one key in order, and waits while an outage lasts', async () => {
    const reader = await transport()
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
    for (let n = 0; n < 2; n++) await (await transport()).subscribe({ group: 'g', topics: [...topics], handler })
    await eventually(async () => (await listDeadLetters(log.admin)).length === 3)
    state = 'outage'
    expect(await requestReplayOfAll(log.admin)).toBe(3)
    await eventually(() => duringOutage > OUTAGE_ATTEMPTS)
    state = 'mended'
    await eventually(async () => (await listDeadLetters(log.admin)).every(letter => letter.replayedAt !== null))
    expect(seen).toEqual(['0', '1', '2'])
    expect(await requestReplayOfAll(log.admin)).toBe(0)
  })

  it('shows the event that a partition waits for, and makes it a dead letter when an operator decides so', async () => {
    const reader = await transport()
    const stuck = dealEvent(1, 0)
    const seen: string[] = []
    await reader.publish([stuck, dealEvent(1, 1)].map(stored))
    await reader.subscribe({
      group: 'g',
      topics: [...topics],
      handler: async ({ event }) => {
        if (event.id === stuck.id) throw tooManyConnections()
        seen.push(titleOf(event))
      },
    })
    await eventually(async () => (await listWaitingEvents(log.admin)).some(({ outages }) => outages > OUTAGE_ATTEMPTS))
    expect(await listWaitingEvents(log.admin)).toEqual([
      expect.objectContaining({ group: 'g', topic: stuck.topic, eventId: stuck.id, key: '1', eventsBehind: 1 }),
    ])
    expect(await buryWaitingEvent(log.admin, 'another group', stuck.id)).toBe(false)
    expect(seen).toEqual([])
    expect(await buryWaitingEvent(log.admin, 'g', stuck.id)).toBe(true)
    await eventually(() => seen.length === 1)
    expect(await listWaitingEvents(log.admin)).toEqual([])
    expect(await listDeadLetters(log.admin)).toEqual([
      expect.objectContaining({ group: 'g', eventId: stuck.id, error: expect.stringContaining('too many clients') }),
    ])
    expect(await buryWaitingEvent(log.admin, 'g', stuck.id)).toBe(false)
  })

  it('handles other partitions while a handler is slow', async () => {
    const reader = await transport()
    const seen = new Set<string>()
    let release: () => void = () => undefined
    const slow = new Promise<void>(resolve => {
      release = resolve
    })
    const handler = async ({ event }: Delivery): Promise<void> => {
      if (event.key === '1') await slow
      seen.add(event.key)
    }
    await reader.subscribe({ group: 'g', topics: [...topics], handler })
    await reader.publish([stored(dealEvent(1, 0))])
    await sleep(200)
    await publish(reader, 40, 1)
    await eventually(() => seen.size >= 30, 3_000)
    expect(seen.has('1')).toBe(false)
    release()
    await eventually(() => seen.size === 40)
  })

  it('finishes the running event when a subscription closes, and starts no other', async () => {
    const reader = await transport()
    const seen: string[] = []
    let begin = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    await reader.publish([dealEvent(1, 0), dealEvent(1, 1)].map(stored))
    const subscription = await reader.subscribe({
      group: 'g',
      topics: [...topics],
      handler: async ({ event }) => {
        begin()
        await sleep(150)
        seen.push(titleOf(event))
      },
    })
    await begun
    await subscription.close()
    expect(seen).toEqual(['0'])
    expect((await reader.lag('g')).events).toBe(1)
  })

  it('sends all new events to the tail of every process, also after terminated connections', async () => {
    const writer = await transport()
    await publish(writer, 3, 1)
    const seen: EventEnvelope[][] = [[], []]
    for (const mine of seen) {
      const handler = (event: EventEnvelope): void => {
        mine.push(event)
        if (mine.length === 3) throw new Error('a failing tail handler does not stop the tail')
      }
      await (await transport('gateway')).tail({ topics: [...topics], handler })
    }
    for (let round = 0; round < 10; round++) {
      await writer.publish(Array.from({ length: 20 }, (_, key) => stored(dealEvent(key + 1, round))))
      if (round === 5) await log.terminate('gateway-%')
    }
    await eventually(() => seen.every(mine => mine.length >= 200))
    for (const mine of seen) expectInOrder(mine, 20, 10)
  })

  it('refuses to publish to the topic of another service', async () => {
    const listing = await transport('listing-svc')
    await expect(listing.publish([stored(dealEvent(1, 0))])).rejects.toThrow(/may not publish to escrow.transaction/)
  })

  it('deletes only events that are old and were read by every group', async () => {
    const reader = await transport()
    await publish(reader, 4, 5)
    await log.admin.query(
      "UPDATE events.log SET published_at = now() - interval '8 days' WHERE payload ->> 'title' < '3'",
    )
    expect(await reader.clean()).toBe(0)
    const subscription = await reader.subscribe({ group: 'g', topics: [...topics], handler: async () => undefined })
    await eventually(async () => (await reader.lag('g')).events === 0)
    await subscription.close()
    expect(await reader.clean()).toBe(12)
    expect((await log.admin.query('SELECT 1 FROM events.log')).rowCount).toBe(8)
  })

  describe('a reader that no longer exists', () => {
    /** All events are old. The group `escrow-svc` has read them. */
    async function readOldEvents(): Promise<EmbeddedTransport> {
      const reader = await transport()
      await publish(reader, 4, 5)
      await log.admin.query("UPDATE events.log SET published_at = now() - interval '8 days'")
      await reader.subscribe({ group: 'escrow-svc', topics: [...topics], handler: async () => undefined })
      await eventually(async () => (await reader.lag('escrow-svc')).events === 0)
      return reader
    }
    const cursorOf = (group: string, topic: string, daysIdle: number) =>
      log.admin.query(
        `INSERT INTO events.cursor (consumer_group, topic, partition, served_at)
          SELECT $1, topic, partition, now() - $3 * interval '1 day' FROM events.head WHERE topic = $2`,
        [group, topic, daysIdle],
      )
    const groups = async () =>
      (await log.admin.query('SELECT DISTINCT consumer_group AS name FROM events.cursor')).rows.map(({ name }) => name)

    it('does not keep the log from being cleaned: its group is dropped after a month', async () => {
      const reader = await readOldEvents()
      await cursorOf('abolished-svc', 'escrow.transaction', READER_DAYS + 1)
      expect(await reader.clean()).toBe(20)
      expect(await groups()).toEqual(['escrow-svc'])
    })

    /** An event of a topic that only the gateway reads, which keeps no cursor. */
    async function oldEventOfListing(days: number): Promise<void> {
      const { id, key, type, payload } = dealEvent(1, 0)
      await log.admin.query(
        `INSERT INTO events.log (topic, partition, position, id, key, type, payload, occurred_at, published_at)
          VALUES ('listing.listing', 0, $5::int, $1, $2, $3, $4, now(), now() - $5::int * interval '1 day')`,
        [id, key, type, payload, days],
      )
    }

    it('is dropped, too, when its group goes on and only reads other topics', async () => {
      const reader = await transport()
      await oldEventOfListing(READER_DAYS + 1)
      await cursorOf('escrow-svc', 'listing.listing', READER_DAYS + 1)
      await reader.subscribe({ group: 'escrow-svc', topics: [...topics], handler: async () => undefined })
      expect(await reader.clean()).toBe(1)
    })

    it('does not keep the events of a topic that no group reads for longer than a month', async () => {
      const reader = await transport()
      await oldEventOfListing(READER_DAYS - 1)
      await oldEventOfListing(READER_DAYS + 1)
      expect(await reader.clean()).toBe(1)
    })

    it('is taken for one that is stopped when its group is known or has read within the month', async () => {
      const reader = await readOldEvents()
      await cursorOf('listing-svc', 'escrow.transaction', READER_DAYS + 1)
      await cursorOf('new-svc', 'escrow.transaction', READER_DAYS - 1)
      expect(await reader.clean()).toBe(0)
      expect((await groups()).sort()).toEqual(['escrow-svc', 'listing-svc', 'new-svc'])
    })
  })
})
