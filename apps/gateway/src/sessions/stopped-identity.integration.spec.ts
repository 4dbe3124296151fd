import { setTimeout as sleep } from 'node:timers/promises'
import { OwnClock } from '../../test/own-clock.js'
import { RunningGateway } from '../../test/running-gateway.js'
import { StoppableProxy } from '../../test/stoppable-proxy.js'
import { OUTAGE_AFTER_MS, REST_MS } from '../services/batched-lookup.js'
import { READ_SESSION_AGE_MS, VERIFY_TIMEOUT_MS } from './sessions.js'

const READ = '/api/transactions/7/timeline'
const WRITE = '/api/transactions/7/accept'
/** Time for the gateway and its fakes, in addition to the time-out of one session check. It is shorter than a second time-out. */
const SLACK_MS = 900

describe('while identity-svc is stopped and its connections stay open', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  const clock = new OwnClock()
  let proxy: StoppableProxy

  beforeAll(async () => {
    await gateway.start(async environment => {
      proxy = await StoppableProxy.before(environment.IDENTITY_URL!)
      return { IDENTITY_URL: proxy.origin }
    })
  })
  afterAll(async () => {
    clock.stop()
    await proxy.end()
    await gateway.stop()
  })

  const timed = async (method: string, token: string) => {
    const startMs = clock.nowMs
    const [status] = await gateway.codeOf(method, method === 'GET' ? READ : WRITE, { token })
    return { status, ms: clock.nowMs - startMs }
  }

  it('reads use a session known before, writes are refused, and no request waits longer than one time-out', async () => {
    const { token } = services.signIn()
    const { token: unknown } = services.signIn()
    expect((await timed('GET', token)).status).toBe(200)
    await sleep(READ_SESSION_AGE_MS + 100)
    proxy.stop()

    // Requests that arrive all the time, so that some of them always find a session check that hangs.
    const first = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        await sleep(20 * i)
        return Promise.all([timed('GET', token), timed('POST', token), timed('GET', unknown)])
      }),
    )
    for (const [read, write, unknownRead] of first) {
      expect([read.status, write.status, unknownRead.status]).toEqual([200, 503, 503])
      expect(read.ms).toBeLessThan(OUTAGE_AFTER_MS + SLACK_MS)
      for (const { ms } of [write, unknownRead]) expect(ms).toBeLessThan(VERIFY_TIMEOUT_MS + SLACK_MS)
    }

    // Now the gateway knows that identity-svc gives no answer.
    const later = await Promise.all(Array.from({ length: 20 }, () => timed('GET', token)))
    expect(later.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(later.filter(({ ms }) => ms < OUTAGE_AFTER_MS / 2).length).toBeGreaterThan(0)
    expect(services.received.filter(({ method }) => method === 'POST')).toEqual([])

    proxy.resume()
    await sleep(VERIFY_TIMEOUT_MS + REST_MS)
    expect((await timed('POST', token)).status).toBe(200)
    expect((await timed('GET', unknown)).status).toBe(200)
  })

  it('a write waits for an answer that takes longer, as while a replica restarts', async () => {
    const { token } = services.signIn()
    proxy.stop()
    const write = timed('POST', token)
    await sleep(1_200)
    proxy.resume()
    expect((await write).status).toBe(200)
  })
})
