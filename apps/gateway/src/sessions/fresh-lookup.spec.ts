import { describe, expect, it } from '@jest/globals'
import { FreshLookup } from './fresh-lookup.js'

/** Calls are answered by hand, one after the other; time is moved by hand, too. */
class Scene {
  nowMs = 0
  readonly calls: { keys: string[]; answer: (known: Record<string, string>) => void; fail: (error: Error) => void }[] =
    []
  readonly lookup: FreshLookup<string>

  constructor(limits: { maxKeysPerCall?: number; maxRemembered?: number; maxWaiting?: number } = {}) {
    this.lookup = new FreshLookup({
      ask: keys =>
        new Promise((resolve, reject) => {
          this.calls.push({ keys, answer: known => resolve(new Map(Object.entries(known))), fail: reject })
        }),
      maxKeysPerCall: 100,
      maxRemembered: 100,
      maxWaiting: 100,
      nowMs: () => this.nowMs,
      ...limits,
    })
  }

  /** Lets what is due run. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round++) await new Promise(resolve => setImmediate(resolve))
  }
}

describe('a fresh lookup', () => {
  it('asks once for everything that comes in together', async () => {
    const { lookup, calls, settle } = scene()
    const answers = Promise.all([lookup.find('a'), lookup.find('b'), lookup.find('a'), lookup.find('unknown')])
    await settle()
    expect(calls.map(call => call.keys)).toEqual([['a', 'b', 'unknown']])
    calls[0]!.answer({ a: 'A', b: 'B' })
    expect(await answers).toEqual(['A', 'B', 'A', null])
  })

  it('gathers the next batch while a call is out, and sends it when that call is over', async () => {
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

  it('asks again for a write, though the same key was asked a moment ago', async () => {
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

  it('lets a read join the call that is out, and take an answer that is young enough', async () => {
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

  it('counts the age of an answer from when its call was sent, not from when it came', async () => {
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

  it('does not let a read join a call that has been out for too long', async () => {
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

  it('remembers nothing of a key that was forgotten, not even from the call that is out', async () => {
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

  it('rejects only those who waited for the call that failed', async () => {
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

  it('asks for so many keys at a time, and for the rest in the next call', async () => {
    const { lookup, calls, settle } = scene({ maxKeysPerCall: 2 })
    const all = Promise.all(['a', 'b', 'c'].map(key => lookup.find(key)))
    await settle()
    calls[0]!.answer({ a: 'A', b: 'B' })
    await settle()
    expect(calls.map(call => call.keys)).toEqual([['a', 'b'], ['c']])
    calls[1]!.answer({ c: 'C' })
    expect(await all).toEqual(['A', 'B', 'C'])
  })

  it('remembers so many answers, and forgets the oldest first', async () => {
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

  it('refuses questions beyond its limit, and takes them again when some are answered', async () => {
    const { lookup, calls, settle } = scene({ maxWaiting: 1 })
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
