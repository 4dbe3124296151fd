import { Drain } from './drain.js'
import { CHECK_TIMEOUT_MS, Health, type HealthCheck } from './health.js'

const away = async () => {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
}

function healthWith(...checks: HealthCheck[]) {
  const drain = new Drain()
  const health = new Health(drain)
  for (const check of checks) health.add(check)
  health.started()
  return { health, drain }
}

describe('readiness', () => {
  test('begins after the boot and ends with the drain', async () => {
    const drain = new Drain()
    const health = new Health(drain)
    expect(await health.readiness(false)).toEqual({ ready: false, body: { status: 'starting', checks: {} } })
    health.started()
    expect(await health.readiness(false)).toEqual({ ready: true, body: { status: 'ok', checks: {} } })
    drain.begin()
    expect(await health.readiness(false)).toMatchObject({ ready: false, body: { status: 'draining' } })
  })

  test('depends on required checks, not on named ones, and on deep checks only when asked', async () => {
    const required = healthWith({ name: 'database', kind: 'required', run: away }).health
    expect(await required.readiness(false)).toEqual({
      ready: false,
      body: { status: 'failing', checks: { database: 'failed' } },
    })
    const others = healthWith(
      { name: 'peer', kind: 'named', run: away },
      { name: 'all', kind: 'deep', run: away },
    ).health
    expect(await others.readiness(false)).toEqual({ ready: true, body: { status: 'ok', checks: { peer: 'failed' } } })
    expect(await others.readiness(true)).toMatchObject({
      ready: false,
      body: { checks: { peer: 'failed', all: 'failed' } },
    })
  })

  test('does not show why a check failed', async () => {
    const { health } = healthWith({ name: 'database', kind: 'required', run: away })
    expect(JSON.stringify(await health.readiness(false))).not.toContain('10.0.0.7')
  })

  test('counts a check that does not answer as failed', async () => {
    const { health } = healthWith({ name: 'database', kind: 'required', run: () => new Promise(() => {}) })
    const begun = performance.now()
    expect((await health.readiness(false)).ready).toBe(false)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(CHECK_TIMEOUT_MS - 50)
  })

  test('runs its checks once for many calls at the same time', async () => {
    let asked = 0
    const run = async () => {
      asked++
    }
    const { health } = healthWith({ name: 'database', kind: 'required', run })
    await Promise.all(Array.from({ length: 100 }, () => health.readiness(false)))
    await health.readiness(false)
    expect(asked).toBe(2)
  })
})
