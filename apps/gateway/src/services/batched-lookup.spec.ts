import { fakeOnly } from '@holdfast/testing/fake-timers'
import {
  BatchedLookup,
  FAILED_BATCHES,
  MAX_RUNNING_BATCHES,
  OUTAGE_AFTER_MS,
  REST_AFTER_SHARED_BATCH_MS,
  REST_MS,
  SHARED_BATCH,
  SLOW_BATCH_MS,
} from './batched-lookup.js'

/** The test answers each request itself and moves the clock itself. */
class Scene {
  nowMs = 0
  readonly calls: { keys: string[]; answer: (known: Record<string, string>) => void; fail: (error: Error) => void }[] =
    []
  readonly lookup: BatchedLookup<string>

  constructor(limits: { maxKeysPerBatch?: number; maxRemembered?: number; maxPending?: number } = {}) {
    this.lookup = new BatchedLookup({
      name: 'things',
      ask: keys =>
        new Promise((resolve, reject) => {
          this.calls.push({ keys, answer: known => resolve(new Map(Object.entries(known))), fail: reject })
        }),
      maxKeysPerBatch: 100,
      maxRemembered: 100,
      maxPending: 100,
      nowMs: () => this.nowMs,
      ...limits,
    })
  }

  /** Runs all pending callbacks. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round++) await new Promise(resolve => setImmediate(resolve))
  }

  /** Moves the clock and the timers on, and runs what was due. */
  async wait(ms: number): Promise<void> {
    this.nowMs += ms
    jest.advanceTimersByTime(ms)
    await this.settle()
  }
}

beforeEach(() => {
  fakeOnly('setTimeout', 'clearTimeout')
})
afterEach(() => {
  jest.useRealTimers()
})

describe('a batched lookup', () => {
  it('sends one request for calls that arrive together', async () => {
    const { lookup, calls, settle } = scene()
    const answers = Promise.all([lookup.find('a'), lookup.find('b'), lookup.find('a'), lookup.find('unknown')])
    await settle()
    expect(calls.map(call => call.keys)).toEqual([['a', 'b', 'unknown']])
    calls[0]!.answer({ a: 'A', b: 'B' })
    expect(await answers).toEqual(['A', 'B', 'A', null])
  })

  it('collects the next batch while one is running, and sends it when that one has ended', async () => {
    const { lookup, calls, settle } = scene()
    const first = lookup.find('a')
    await settle()
    const second = Promise.all([lookup.find('b'), lookup.find('c')])
    await settle()
    expect(calls).toHaveLength(1)
    calls[0]!.answer({ a: 'A' })
    await first
    await settle()
    expect(calls[1]!.keys).toEqual(['b', 'c'])
    calls[1]!.answer({ b: 'B', c: 'C' })
    expect(await second).toEqual(['B', 'C'])
  })

  it('pauses after a shared batch, so that more calls share the next one', async () => {
    const scene = new Scene()
    const { lookup, calls } = scene
    const keys = Array.from({ length: SHARED_BATCH }, (_, i) => `key${i}`)
    const first = Promise.all(keys.map(key => lookup.find(key)))
    await scene.settle()
    const second = lookup.find('b')
    calls[0]!.answer({})
    await first
    await scene.settle()
    const third = lookup.find('c')
    await scene.wait(REST_AFTER_SHARED_BATCH_MS - 1)
    expect(calls).toHaveLength(1)
    await scene.wait(1)
    expect(calls[1]!.keys).toEqual(['b', 'c'])
    calls[1]!.answer({ b: 'B', c: 'C' })
    expect(await Promise.all([second, third])).toEqual(['B', 'C'])
  })

  it('sends a call at once when the last shared batch ended long enough ago', async () => {
    const scene = new Scene()
    const { lookup, calls } = scene
    const keys = Array.from({ length: SHARED_BATCH }, (_, i) => `key${i}`)
    const first = Promise.all(keys.map(key => lookup.find(key)))
    await scene.settle()
    calls[0]!.answer({})
    await first
    scene.nowMs = REST_AFTER_SHARED_BATCH_MS
    void lookup.find('b')
    await scene.settle()
    expect(calls[1]!.keys).toEqual(['b'])
  })

  it('asks again for a call that needs a fresh answer, although the key was asked a moment ago', async () => {
    const { lookup, calls, settle } = scene()
    const read = lookup.find('a', 2_000)
    await settle()
    const write = lookup.find('a')
    calls[0]!.answer({ a: 'A' })
    expect(await read).toBe('A')
    await settle()
    expect(calls[1]!.keys).toEqual(['a'])
    calls[1]!.answer({})
    expect(await write).toBeNull()
  })

  it('lets a call that accepts an older answer join the running batch, or take a remembered answer', async () => {
    const scene = new Scene()
    const { lookup, calls } = scene
    const first = lookup.find('a', 2_000)
    await scene.settle()
    const joined = lookup.find('a', 2_000)
    calls[0]!.answer({ a: 'A' })
    expect(await Promise.all([first, joined])).toEqual(['A', 'A'])
    scene.nowMs = 2_000
    expect(await lookup.find('a', 2_000)).toBe('A')
    expect(calls).toHaveLength(1)
    scene.nowMs = 2_001
    const late = lookup.find('a', 2_000)
    await scene.settle()
    calls[1]!.answer({ a: 'A2' })
    expect(await late).toBe('A2')
  })

  it('counts the age of an answer from when its batch was sent, not from when the answer arrived', async () => {
    const scene = new Scene()
    const { lookup, calls } = scene
    const first = lookup.find('a', 2_000)
    await scene.settle()
    scene.nowMs = 1_900
    calls[0]!.answer({ a: 'A' })
    await first
    scene.nowMs = 2_100
    void lookup.find('a', 2_000)
    await scene.settle()
    expect(calls).toHaveLength(2)
  })

  it('does not let a call join a batch that has been running for too long', async () => {
    const scene = new Scene()
    void scene.lookup.find('a', 2_000)
    await scene.settle()
    scene.nowMs = 2_500
    const read = scene.lookup.find('a', 2_000)
    scene.calls[0]!.answer({ a: 'old' })
    await scene.settle()
    scene.calls[1]!.answer({ a: 'new' })
    expect(await read).toBe('new')
  })

  it('forgets the answers with a property, also those on the way, and no others', async () => {
    const here = scene()
    const { lookup, calls, settle } = here
    const known = Promise.all(['a', 'b', 'none'].map(key => lookup.find(key)))
    await settle()
    calls[0]!.answer({ a: 'ended', b: 'other' })
    await known
    const late = lookup.find('c')
    await here.wait(REST_AFTER_SHARED_BATCH_MS)
    lookup.forgetWhere(value => value === 'ended')
    calls[1]!.answer({ c: 'ended' })
    expect(await late).toBe('ended')
    expect(await lookup.find('b', 2_000)).toBe('other')
    expect(await lookup.find('none', 2_000)).toBeNull()
    const again = Promise.all([lookup.find('a', 2_000), lookup.find('c', 2_000)])
    await settle()
    expect(calls.map(call => call.keys)).toEqual([['a', 'b', 'none'], ['c'], ['a', 'c']])
    calls[2]!.answer({})
    expect(await again).toEqual([null, null])
  })

  it('forgets a key, also its answer in the running batch', async () => {
    const { lookup, calls, settle } = scene()
    const before = lookup.find('a', 2_000)
    await settle()
    lookup.forget('a')
    const after = lookup.find('a', 2_000)
    calls[0]!.answer({ a: 'old' })
    expect(await before).toBe('old')
    await settle()
    calls[1]!.answer({})
    expect(await after).toBeNull()
  })

  it('rejects only the calls of the batch that failed', async () => {
    const { lookup, calls, settle } = scene()
    const first = lookup.find('a')
    const failed = expect(first).rejects.toThrow('gone')
    await settle()
    const second = lookup.find('a')
    calls[0]!.fail(new Error('gone'))
    await failed
    await settle()
    calls[1]!.answer({ a: 'A' })
    expect(await second).toBe('A')
  })

  it('does not wait for a slow batch: the next ones are sent beside it, up to a limit', async () => {
    const scene = new Scene()
    const { lookup, calls } = scene
    for (let i = 0; i <= MAX_RUNNING_BATCHES; i++) {
      void lookup.find(`key${i}`)
      await scene.settle()
      await scene.wait(SLOW_BATCH_MS)
    }
    expect(calls.map(call => call.keys)).toEqual([['key0'], ['key1'], ['key2'], ['key3']])
    calls[2]!.answer({})
    await scene.settle()
    await scene.wait(SLOW_BATCH_MS)
    expect(calls.at(-1)!.keys).toEqual(['key4'])
  })

  it('sends no batch beside a slow one after a failure: that one shows whether the other service answers', async () => {
    const scene = new Scene()
    const { lookup, calls } = scene
    const failed = expect(lookup.find('a')).rejects.toThrow('gone')
    await scene.settle()
    calls[0]!.fail(new Error('gone'))
    await failed
    void lookup.find('b')
    await scene.settle()
    void lookup.find('c')
    await scene.wait(SLOW_BATCH_MS)
    expect(calls.map(call => call.keys)).toEqual([['a'], ['b']])
    calls[1]!.answer({})
    await scene.settle()
    expect(calls[2]!.keys).toEqual(['c'])
  })

  it('keeps the later answer when an earlier batch is answered last', async () => {
    const scene = new Scene()
    const first = scene.lookup.find('a')
    await scene.settle()
    const second = scene.lookup.find('a')
    await scene.wait(SLOW_BATCH_MS)
    scene.calls[1]!.answer({ a: 'new' })
    await second
    scene.calls[0]!.answer({ a: 'old' })
    await first
    expect(await scene.lookup.find('a', 1_000)).toBe('new')
  })

  it('gives an older answer during an outage to a call that accepts one, and to no other', async () => {
    const scene = new Scene()
    const known = scene.lookup.find('a')
    await scene.settle()
    scene.calls[0]!.answer({ a: 'A' })
    await known
    scene.nowMs = 60_000
    const read = scene.lookup.find('a', 2_000, 60_000)
    const write = expect(scene.lookup.find('a')).rejects.toThrow('gone')
    const unknown = expect(scene.lookup.find('b', 2_000, 60_000)).rejects.toThrow('gone')
    await scene.settle()
    scene.calls[1]!.fail(new Error('gone'))
    expect(await read).toBe('A')
    await Promise.all([write, unknown])
    scene.nowMs = 60_001
    const late = expect(scene.lookup.find('a', 2_000, 60_000)).rejects.toThrow('gone')
    await scene.settle()
    scene.calls[2]!.fail(new Error('gone'))
    await late
  })

  it('gives an older answer also when there is no new one in time, and waits for the new one without an older', async () => {
    const scene = new Scene()
    const known = scene.lookup.find('a')
    await scene.settle()
    scene.calls[0]!.answer({ a: 'A' })
    await known
    scene.nowMs = 10_000
    const read = scene.lookup.find('a', 2_000, 60_000)
    const unknown = scene.lookup.find('b', 2_000, 60_000)
    await scene.settle()
    await scene.wait(OUTAGE_AFTER_MS)
    expect(await read).toBe('A')
    scene.calls[1]!.answer({ a: 'new', b: 'B' })
    expect(await unknown).toBe('B')
  })

  it('gives no older answer for a key that was forgotten', async () => {
    const scene = new Scene()
    const known = scene.lookup.find('a')
    await scene.settle()
    scene.calls[0]!.answer({ a: 'A' })
    await known
    scene.lookup.forget('a')
    const read = expect(scene.lookup.find('a', 2_000, 60_000)).rejects.toThrow('gone')
    await scene.settle()
    scene.calls[1]!.fail(new Error('gone'))
    await read
  })

  it('sends nothing for a moment when batches have failed in a row', async () => {
    const scene = new Scene()
    const { lookup, calls } = scene
    for (let i = 0; i < FAILED_BATCHES; i++) {
      const failed = expect(lookup.find('a')).rejects.toThrow('gone')
      await scene.settle()
      calls[i]!.fail(new Error('gone'))
      await failed
    }
    await expect(lookup.find('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(calls).toHaveLength(FAILED_BATCHES)
    scene.nowMs = REST_MS
    const answered = lookup.find('a')
    await scene.settle()
    calls.at(-1)!.answer({ a: 'A' })
    expect(await answered).toBe('A')
  })

  it('fills a batch up to its limit, and puts the other keys into the next one', async () => {
    const { lookup, calls, settle } = scene({ maxKeysPerBatch: 2 })
    const all = Promise.all(['a', 'b', 'c'].map(key => lookup.find(key)))
    await settle()
    calls[0]!.answer({ a: 'A', b: 'B' })
    await settle()
    expect(calls.map(call => call.keys)).toEqual([['a', 'b'], ['c']])
    calls[1]!.answer({ c: 'C' })
    expect(await all).toEqual(['A', 'B', 'C'])
  })

  it('keeps a bounded number of answers and drops the oldest first', async () => {
    const { lookup, calls, settle } = scene({ maxRemembered: 2 })
    for (const key of ['a', 'b', 'c']) {
      const answer = lookup.find(key, 2_000)
      await settle()
      calls.at(-1)!.answer({ [key]: key })
      await answer
    }
    expect(await lookup.find('c', 2_000)).toBe('c')
    expect(calls).toHaveLength(3)
    void lookup.find('a', 2_000)
    await settle()
    expect(calls).toHaveLength(4)
  })

  it('refuses calls beyond its limit, and accepts them again when others have been answered', async () => {
    const { lookup, calls, settle } = scene({ maxPending: 1 })
    const first = lookup.find('a')
    await expect(lookup.find('b')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await settle()
    calls[0]!.answer({ a: 'A' })
    await first
    await settle()
    const later = lookup.find('c')
    await settle()
    calls.at(-1)!.answer({ c: 'C' })
    expect(await later).toBe('C')
  })
})

const scene = (limits = {}) => new Scene(limits)
