import { describe, expect, it } from '@jest/globals'
import { BoundedQueue } from './bounded-queue.js'

const settled = () => new Promise(resolve => setImmediate(resolve))

describe('a bounded queue', () => {
  it('runs a limited number at a time, in the order they came', async () => {
    const queue = new BoundedQueue(2, 10)
    const begun: number[] = []
    const finish: (() => void)[] = []
    const all = [0, 1, 2, 3].map(n =>
      queue.run(async () => {
        begun.push(n)
        await new Promise<void>(resolve => finish.push(resolve))
        return n
      }),
    )
    await settled()
    expect(begun).toEqual([0, 1])
    finish[0]!()
    await settled()
    expect(begun).toEqual([0, 1, 2])
    for (const each of [1, 2]) finish[each]!()
    await settled()
    finish[3]!()
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
  })

  it('refuses work at once when too many wait', async () => {
    const queue = new BoundedQueue(1, 1)
    const stuck = new Promise<void>(() => undefined)
    void queue.run(() => stuck)
    void queue.run(() => stuck)
    await expect(queue.run(async () => 'late')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('goes on after work that failed', async () => {
    const queue = new BoundedQueue(1, 1)
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queue.run(async () => 'next')).toBe('next')
  })
})
