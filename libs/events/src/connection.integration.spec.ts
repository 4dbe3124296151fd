import { eventually, ScratchLog } from '../test/scratch-log.js'
import { connectionConfig, eventsPool } from './connection.js'
import { EmbeddedTransport } from './embedded/embedded-transport.js'
import { LogListener } from './embedded/log-listener.js'
import { OutboxRelay } from './outbox/relay.js'

/** PostgreSQL's code for a session that an administrator has ended. */
const ENDED = { err: expect.objectContaining({ code: '57P01' }) }

describe('a connection that is lost while nothing uses it', () => {
  let log: ScratchLog

  beforeAll(async () => {
    log = await ScratchLog.make()
  })
  afterAll(() => log.drop())

  const warningsOf = (owner: object) => jest.spyOn(Reflect.get(owner, 'logger'), 'warn')
  /** Ends a session when it waits for its next statement. */
  const end = (name: string) => eventually(async () => (await log.terminate(name)) === 1)

  it('is logged once by a pool', async () => {
    const warn = jest.fn()
    const pool = eventsPool(connectionConfig(log.url, 'a-pool'), { warn })
    await pool.query('SELECT 1')
    await end('a-pool')
    await eventually(() => pool.totalCount === 0)
    expect(warn.mock.calls).toEqual([[ENDED, expect.anything()]])
    await pool.end()
  })

  it('is logged with the reason by what listens for events', async () => {
    const listener = new LogListener(log.url, 'a')
    const warn = warningsOf(listener)
    await listener.start()
    await end('a-listen')
    await eventually(() => warn.mock.calls.length > 0)
    expect(warn.mock.calls).toEqual([[ENDED, expect.anything()]])
    await listener.stop()
  })

  it('is logged with the reason by a relay', async () => {
    const transport = new EmbeddedTransport({ databaseUrl: log.url, service: 'escrow-svc' })
    const relay = new OutboxRelay({ databaseUrl: log.url, schema: 'escrow', transport })
    const warn = warningsOf(relay)
    await relay.waiting()
    await end('escrow-relay')
    await eventually(() => warn.mock.calls.length > 0)
    expect(warn.mock.calls).toEqual([[ENDED, expect.anything()]])
    await transport.stop()
  })
})
