import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { OwnClock } from '../test/own-clock.js'
import { RunningGateway } from '../test/running-gateway.js'

const LOAD_CONNECTIONS = 16
const LOAD_BEFORE_MS = 300

describe('a gateway that shuts down', () => {
  const gateway = new RunningGateway()
  const clock = new OwnClock()
  beforeAll(() => gateway.start())
  afterAll(async () => {
    clock.stop()
    await gateway.services.stop()
  })

  it('answers every request it accepted, ends streams at once, and does not wait for idle connections', async () => {
    const { services, origin } = gateway
    const { token } = services.signIn()
    services.on('escrow-svc', 'POST', '/api/transactions/7/accept', () => sleep(20, {}))
    const silent = connect(gateway.running.port, '127.0.0.1')
    await new Promise(resolve => silent.once('connect', resolve))
    silent.on('error', () => {})
    const stream = await gateway.ask('GET', '/api/events', { token })
    const agent = new Agent({ connections: LOAD_CONNECTIONS, keepAliveTimeout: 60_000 })
    const outcomes = { done: 0, refused: 0, lost: 0 }
    let closing = false

    async function visitor(): Promise<void> {
      while (true) {
        const begun = closing
        try {
          const headers = { cookie: `holdfast_session=${token}` }
          const { statusCode, body } = await request(`${origin}/api/transactions/7/accept`, {
            method: 'POST',
            headers,
            dispatcher: agent,
          })
          await body.dump()
          if (statusCode === 200) outcomes.done++
          else outcomes.lost++
        } catch (error) {
          // When the process stops listening, the kernel resets connections that the process has not accepted yet.
          const neverAccepted =
            begun && ['ECONNREFUSED', 'ECONNRESET'].includes((error as { code?: string }).code ?? '')
          if (neverAccepted) return void outcomes.refused++
          outcomes.lost++
          return
        }
      }
    }
    const visitors = Array.from({ length: LOAD_CONNECTIONS }, visitor)
    await sleep(LOAD_BEFORE_MS)
    const startedAt = clock.nowMs
    closing = true
    const closed = gateway.running.close()
    await stream.text()
    const streamEndedAfterMs = clock.nowMs - startedAt
    await closed
    const closedAfterMs = clock.nowMs - startedAt
    await Promise.all(visitors)
    await agent.close()

    expect(outcomes.lost).toBe(0)
    expect(outcomes.refused).toBe(LOAD_CONNECTIONS)
    // Every request that reached a service was answered.
    expect(services.received).toHaveLength(outcomes.done)
    expect(outcomes.done).toBeGreaterThan(LOAD_CONNECTIONS)
    expect(streamEndedAfterMs).toBeLessThan(1_000)
    expect(closedAfterMs).toBeLessThan(5_000)
  })
})
