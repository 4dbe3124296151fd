import { CircuitBreaker } from './circuit-breaker.js'

describe('a circuit breaker', () => {
  it('makes no call for a while after failures in a row', async () => {
    const { breaker, calls, fail } = scene()
    await fail(3)
    await expect(breaker.run(async () => calls.push('not made'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(calls).toHaveLength(3)
  })

  it('counts only failures in a row', async () => {
    const { breaker, fail } = scene()
    await fail(2)
    expect(await breaker.run(async () => 'answer')).toBe('answer')
    await fail(2)
    expect(await breaker.run(async () => 'answer')).toBe('answer')
  })

  it('makes one call as a trial after the rest, and admits all calls again when it succeeds', async () => {
    const { breaker, clock, fail } = scene()
    await fail(3)
    clock.ms = 1_000
    let answer!: (text: string) => void
    const trial = breaker.run(() => new Promise<string>(resolve => (answer = resolve)))
    await expect(breaker.run(async () => 'second')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    answer('trial')
    expect(await trial).toBe('trial')
    expect(await breaker.run(async () => 'third')).toBe('third')
  })

  it('rests again when the trial fails', async () => {
    const { breaker, clock, fail } = scene()
    await fail(3)
    clock.ms = 1_000
    await fail(1)
    clock.ms = 1_999
    await expect(breaker.run(async () => 'early')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    clock.ms = 2_000
    expect(await breaker.run(async () => 'late')).toBe('late')
  })
})

function scene() {
  const clock = { ms: 0 }
  const calls: string[] = []
  const breaker = new CircuitBreaker({ failures: 3, restMs: 1_000, nowMs: () => clock.ms })
  const failing = async () => {
    calls.push('made')
    throw new Error('no answer')
  }
  const fail = async (times: number) => {
    for (let i = 0; i < times; i++) await expect(breaker.run(failing)).rejects.toThrow('no answer')
  }
  return { breaker, clock, calls, fail }
}
