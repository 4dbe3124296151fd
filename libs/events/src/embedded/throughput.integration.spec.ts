import { dealEvent, eventually, ScratchLog } from '../../test/scratch-log.js'
import { outboxStatement } from '../outbox/outbox.js'
import { OutboxRelay } from '../outbox/relay.js'
import { EmbeddedTransport } from './embedded-transport.js'

const EVENTS = 10_000
const PER_COMMAND = 50
/** Far below the rate of an idle machine (see the printed numbers), so that the test passes on a busy one. */
const LEAST_PER_SECOND = 500

describe('the throughput of events', () => {
  let log: ScratchLog
  beforeAll(async () => {
    log = await ScratchLog.make()
  })
  afterAll(() => log.drop())

  it('from the outbox to two groups is far above the product’s own rate', async () => {
    const transport = new EmbeddedTransport({ databaseUrl: log.url, service: 'escrow-svc' })
    await transport.start()
    const relay = new OutboxRelay({ databaseUrl: log.url, schema: 'escrow', transport })
    const insert = outboxStatement('escrow.outbox')
    for (let written = 0; written < EVENTS; written += PER_COMMAND) {
      const events = Array.from({ length: PER_COMMAND }, (_, nth) => dealEvent(((written + nth) % 500) + 1, written))
      await log.admin.query(insert.text, insert.values([events]))
    }

    const begun = performance.now()
    relay.start()
    const empty = async () => (await log.admin.query('SELECT 1 FROM escrow.outbox LIMIT 1')).rowCount === 0
    await eventually(empty, 60_000)
    const relayed = performance.now()
    const counts = [0, 0]
    for (const [nth, group] of ['one', 'two'].entries()) {
      const handler = async (): Promise<void> => void counts[nth]!++
      await transport.subscribe({ group, topics: ['escrow.transaction'], handler })
    }
    await eventually(() => counts.every(count => count === EVENTS), 60_000)
    const handled = performance.now()

    const [relaying, handling] = [EVENTS / (relayed - begun), (2 * EVENTS) / (handled - relayed)].map(n => n * 1_000)
    process.stdout.write(`relayed ${relaying!.toFixed(0)} events/s, handled ${handling!.toFixed(0)} events/s\n`)
    await relay.stop()
    await transport.stop()
    expect(relaying).toBeGreaterThan(LEAST_PER_SECOND)
    expect(handling).toBeGreaterThan(LEAST_PER_SECOND)
  }, 120_000)
})
