import { isDoneWithin, pause } from './waiting.js'

describe('waiting for work', () => {
  it('returns whether the work was done in time, and rejects with its error', async () => {
    expect(await isDoneWithin(1_000, Promise.resolve())).toBe(true)
    expect(await isDoneWithin(10, new Promise(() => undefined))).toBe(false)
    await expect(isDoneWithin(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
})

describe('a pause', () => {
  /** Longer than a test may take. */
  const LONG_MS = 3_600_000
  it('ends early when its signal aborts or is already aborted', async () => {
    const stopping = new AbortController()
    const long = pause(LONG_MS, stopping.signal)
    stopping.abort()
    await long
    await pause(LONG_MS, stopping.signal)
  })
})
