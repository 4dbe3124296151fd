import { describe, expect, it } from '@jest/globals'
import { Turnstile } from './turnstile.js'

const settled = () => new Promise(resolve => setImmediate(resolve))

describe('the turnstile', () => {
  it('lets so many through at a time, in the order they came', async () => {
    const turnstile = new Turnstile(2, 10)
    const begun: number[] = []
    const finish: (() => void)[] = []
    const all = [0, 1, 2, 3].map(n =>
      turnstile.pass(async () => {
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

  it('tells whoever comes to a full queue to try again', async () => {
    const turnstile = new Turnstile(1, 1)
    const stuck = new Promise<void>(() => undefined)
    void turnstile.pass(() => stuck)
    void turnstile.pass(() => stuck)
    await expect(turnstile.pass(async () => 'late')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('frees the place of work that failed', async () => {
    const turnstile = new Turnstile(1, 1)
    await expect(turnstile.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turnstile.pass(async () => 'next')).toBe('next')
  })
})
