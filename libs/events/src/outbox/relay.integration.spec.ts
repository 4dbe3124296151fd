import { setTimeout as sleep } from 'node:timers/promises'
import { dealEvent, eventually, ScratchLog } from '../../test/scratch-log.js'
import { SILENT_MS } from '../connection.js'
import { EmbeddedTransport } from '../embedded/embedded-transport.js'
import { outboxStatement } from './outbox.js'
import { OutboxRelay } from './relay.js'

const INSERT = outboxStatement('escrow.outbox')

describe('the relay of an outbox', () => {
  let log: ScratchLog
  const relays: OutboxRelay[] = []
  const transports: EmbeddedTransport[] = []

  beforeAll(async () => {
    log = await ScratchLog.make()
  })
  beforeEach(async () => {
    await log.admin.query('TRUNCATE escrow.outbox, events.log; UPDATE events.head SET next = 1')
  })
  afterEach(async () => {
    await Promise.all(relays.splice(0).map(relay => relay.stop()))
    await Promise.all(transports.splice(0).map(transport => transport.stop()))
  })
  afterAll(() => log.drop())

  async function relay(afterPublish?: () => Promise<void>): Promise<OutboxRelay> {
    const transport = new EmbeddedTransport({ databaseUrl: log.url, service: 'escrow-svc' })
    await transport.start()
    transports.push(transport)
    const made = new OutboxRelay({
      databaseUrl: log.url,
      schema: 'escrow',
      transport,
      ...(afterPublish && { afterPublish }),
    })
    relays.push(made)
    made.start()
    return made
  }

  async function write(keys: number, perKey: number): Promise<void> {
    for (let nth = 0; nth < perKey; nth++) {
      await log.admin.query(
        INSERT.text,
        INSERT.values([Array.from({ length: keys }, (_, key) => dealEvent(key + 1, nth))]),
      )
    }
  }

  const outboxIsEmpty = async () => (await log.admin.query('SELECT 1 FROM escrow.outbox LIMIT 1')).rowCount === 0

  async function expectEachOnceInOrder(keys: number, perKey: number): Promise<void> {
    const { rows } = await log.admin.query<{ key: string; titles: string[]; partitions: number }>(
      `SELECT key, array_agg(payload ->> 'title' ORDER BY position) AS titles, count(DISTINCT partition)::int AS partitions
         FROM events.log GROUP BY key`,
    )
    expect(rows).toHaveLength(keys)
    const titles = Array.from({ length: perKey }, (_, nth) => String(nth))
    for (const row of rows) expect(row).toEqual({ key: row.key, titles, partitions: 1 })
    const gaps = await log.admin.query(
      `SELECT 1 FROM events.log l JOIN events.head h USING (topic, partition)
        GROUP BY l.topic, l.partition, h.next HAVING max(l.position) <> count(*) OR h.next <> count(*) + 1`,
    )
    expect(gaps.rowCount).toBe(0)
  }

  it('publishes every event once, in order per key and without gaps', async () => {
    await relay()
    await write(50, 20)
    await eventually(outboxIsEmpty)
    await expectEachOnceInOrder(50, 20)
  })

  it('publishes within a few milliseconds of a wake-up', async () => {
    const running = await relay()
    await eventually(outboxIsEmpty)
    // A busy machine can delay one wake-up. It does not delay each of five.
    const delays: number[] = []
    for (let wakeups = 1; wakeups <= 5; wakeups++) {
      await write(1, 1)
      const wokenAt = Date.now()
      running.wake()
      await eventually(async () => (await log.admin.query('SELECT 1 FROM events.log')).rowCount === wakeups)
      delays.push(Date.now() - wokenAt)
    }
    expect(Math.min(...delays)).toBeLessThan(200)
  })

  it('publishes each event once when two replicas relay at the same time', async () => {
    const both = [await relay(), await relay()]
    for (let round = 0; round < 20; round++) {
      await log.admin.query(
        INSERT.text,
        INSERT.values([Array.from({ length: 30 }, (_, key) => dealEvent(key + 1, round))]),
      )
      for (const each of both) each.wake()
    }
    await eventually(outboxIsEmpty)
    await expectEachOnceInOrder(30, 20)
  })

  it('publishes every event once although it dies between publishing and deleting', async () => {
    await write(20, 10)
    let died = 0
    await relay(async () => {
      if (died === 3) return
      died++
      // The connection ends, and its lock is released with it.
      await log.terminate('escrow-relay')
      throw new Error('died')
    })
    await eventually(outboxIsEmpty)
    expect(died).toBe(3)
    await expectEachOnceInOrder(20, 10)
  })

  it('is replaced by another replica when it hangs between publishing and deleting', async () => {
    await write(20, 10)
    let hang: () => void = () => undefined
    const hung = new Promise<void>(resolve => {
      hang = resolve
    })
    await relay(() => hung)
    await eventually(async () => (await log.admin.query('SELECT 1 FROM events.log')).rowCount === 200)
    await relay()
    // The server ends the silent session of the first one, and so its lock becomes free.
    await eventually(outboxIsEmpty)
    hang()
    await expectEachOnceInOrder(20, 10)
  })

  it('keeps its turn while the transport takes long', async () => {
    await write(2, 1)
    let publishing = 0
    class SlowTransport extends EmbeddedTransport {
      override async publish(batch: Parameters<EmbeddedTransport['publish']>[0]): Promise<void> {
        publishing++
        await sleep(SILENT_MS + 2_000)
        await super.publish(batch)
      }
    }
    const transport = new SlowTransport({ databaseUrl: log.url, service: 'escrow-svc' })
    await transport.start()
    transports.push(transport)
    for (let replica = 0; replica < 2; replica++) {
      const made = new OutboxRelay({ databaseUrl: log.url, schema: 'escrow', transport })
      relays.push(made)
      made.start()
    }
    await eventually(outboxIsEmpty)
    expect(publishing).toBe(1)
    await expectEachOnceInOrder(2, 1)
  })

  it('goes on after its connections were terminated at any moment', async () => {
    const running = await relay()
    for (let round = 0; round < 30; round++) {
      await log.admin.query(
        INSERT.text,
        INSERT.values([Array.from({ length: 20 }, (_, key) => dealEvent(key + 1, round))]),
      )
      running.wake()
      if (round % 5 === 2) await log.terminate('escrow-%')
    }
    await eventually(outboxIsEmpty)
    await expectEachOnceInOrder(20, 30)
  })

  it('publishes the remaining events before it stops', async () => {
    const running = await relay()
    await eventually(outboxIsEmpty)
    await write(5, 2)
    await running.stop()
    expect(await outboxIsEmpty()).toBe(true)
    await expectEachOnceInOrder(5, 2)
  })

  it('cannot get an event for the topic of another service, because the outbox refuses it', async () => {
    const foreign = { ...dealEvent(1, 0), topic: 'listing.listing' as const }
    await expect(log.admin.query(INSERT.text, INSERT.values([[foreign]]))).rejects.toThrow(/outbox_topic_check/)
  })
})
