import { FairQueue } from './fair-queue.js'

const settled = () => new Promise(resolve => setImmediate(resolve))

/** Work that ends when the test says so. `begun` has its names in the order in which it ran. */
function controlled(queue: FairQueue) {
  const begun: string[] = []
  const endings = new Map<string, () => void>()
  const ask = (owner: string, name: string, signal?: AbortSignal) =>
    queue.run(
      owner,
      async () => {
        begun.push(name)
        await new Promise<void>(resolve => endings.set(name, resolve))
        return name
      },
      signal,
    )
  const end = async (name: string) => {
    endings.get(name)!()
    await settled()
  }
  return { begun, ask, end }
}

describe('a fair queue', () => {
  it('runs a limited number at a time, those of one owner in the order they came', async () => {
    const { begun, ask, end } = controlled(new FairQueue({ concurrency: 2, maxWaiting: 10 }))
    const all = ['a1', 'a2', 'a3', 'a4'].map(name => ask('ana', name))
    await settled()
    expect(begun).toEqual(['a1', 'a2'])
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'a3'])
    for (const name of ['a2', 'a3', 'a4']) await end(name)
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  it('gives owners turns, so that one with much work does not delay the others', async () => {
    const { begun, ask, end } = controlled(new FairQueue({ concurrency: 1, maxWaiting: 10 }))
    const all = [...['a1', 'a2', 'a3', 'a4'].map(name => ask('ana', name)), ask('ben', 'b1'), ask('eva', 'e1')]
    for (const name of ['a1', 'a2', 'b1', 'e1', 'a3', 'a4']) {
      await settled()
      await end(name)
    }
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'e1', 'a3', 'a4'])
  })

  it('refuses work at once when too much waits, of one owner or in all', async () => {
    const { ask } = controlled(new FairQueue({ concurrency: 1, maxWaiting: 3, maxWaitingPerOwner: 2 }))
    for (const name of ['a1', 'a2', 'a3']) void ask('ana', name)
    await expect(ask('ana', 'a4')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    void ask('ben', 'b1')
    await expect(ask('eva', 'e1')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('refuses the latest work of the owner with the most, when all that may wait is taken and another owner has less', async () => {
    const { begun, ask, end } = controlled(new FairQueue({ concurrency: 1, maxWaiting: 5, maxWaitingPerOwner: 3 }))
    const running = ask('ana', 'a1')
    const greedy = ['a2', 'a3', 'a4'].map(name => ask('ana', name))
    const others = [ask('ben', 'b1'), ask('ben', 'b2')]
    const newcomer = ask('eva', 'e1')
    await expect(greedy[2]).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(ask('ben', 'b3')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    for (const name of ['a1', 'a2', 'b1', 'e1', 'a3', 'b2']) {
      await settled()
      await end(name)
    }
    await Promise.all([running, greedy[0], greedy[1], ...others, newcomer])
    expect(begun).toEqual(['a1', 'a2', 'b1', 'e1', 'a3', 'b2'])
  })

  it('goes on after work that failed', async () => {
    const queue = new FairQueue({ concurrency: 1, maxWaiting: 1 })
    await expect(queue.run('ana', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queue.run('ana', async () => 'next')).toBe('next')
  })

  it('does not run work whose signal was aborted while it waited', async () => {
    const { begun, ask, end } = controlled(new FairQueue({ concurrency: 1, maxWaiting: 2 }))
    const leaving = new AbortController()
    const first = ask('ana', 'a1')
    const dropped = ask('ben', 'b1', leaving.signal)
    const last = ask('eva', 'e1')
    leaving.abort(new Error('left'))
    await expect(dropped).rejects.toThrow('left')
    await end('a1')
    await end('e1')
    expect([await first, await last, begun]).toEqual(['a1', 'e1', ['a1', 'e1']])
    await expect(ask('ben', 'b2', leaving.signal)).rejects.toThrow('left')
  })
})
