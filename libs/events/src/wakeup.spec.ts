import { isWorthLogging, LARGE_BATCH, pauseAfterBatch, reconnectDelay, Wakeup } from './wakeup.js'

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

describe('a sleep', () => {
  it('lasts its whole time when it is not woken', async () => {
    expect(await took(() => new Wakeup().sleep(50))).toBeGreaterThanOrEqual(45)
  })

  it('ends at once when woken, also by an earlier wake-up, which ends only one sleep', async () => {
    const wakeup = new Wakeup()
    setTimeout(() => wakeup.wake(), 10)
    expect(await took(() => wakeup.sleep(5_000))).toBeLessThan(1_000)
    wakeup.wake()
    wakeup.wake()
    expect(await took(() => wakeup.sleep(5_000))).toBeLessThan(1_000)
    expect(await took(() => wakeup.sleep(50))).toBeGreaterThanOrEqual(45)
  })
})

it('a reader pauses longer after a large batch than after a small one', () => {
  expect([1, LARGE_BATCH - 1, LARGE_BATCH, 500].map(pauseAfterBatch)).toEqual([25, 25, 100, 100])
})

describe('trying again', () => {
  it('waits longer each time, up to five seconds', () => {
    expect([0, 1, 2, 6, 60].map(reconnectDelay)).toEqual([100, 200, 400, 5_000, 5_000])
  })
})

it('of the failures of an outage only few are logged', () => {
  const logged = Array.from({ length: 1_000 }, (_, failures) => failures + 1).filter(nth => isWorthLogging(nth - 1))
  expect(logged).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
})
