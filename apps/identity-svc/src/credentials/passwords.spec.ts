import { beforeAll, describe, expect, test } from '@jest/globals'
import { MAX_CONCURRENT_HASHES, MAX_WAITING_HASHES, Passwords } from './passwords.js'

describe('passwords', () => {
  const passwords = new Passwords()
  let hash: string
  beforeAll(async () => {
    hash = await passwords.hash('correct horse')
  })

  test('are hashed by argon2id with the parameters that OWASP recommends', () => {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('match only their own hash', async () => {
    expect(await passwords.matches('correct horse', hash)).toBe(true)
    expect(await passwords.matches('wrong horse', hash)).toBe(false)
  })

  test('never match for an unknown e-mail, and the check takes the same time', async () => {
    expect(await passwords.matches('correct horse', null)).toBe(false)
    const known: number[] = []
    const unknown: number[] = []
    // The two alternate, so that other work of the machine slows both down equally.
    for (let i = 0; i < 9; i++) {
      known.push(await time(() => passwords.matches('wrong horse', hash)))
      unknown.push(await time(() => passwords.matches('wrong horse', null)))
    }
    expect(median(unknown) / median(known)).toBeGreaterThan(0.4)
    expect(median(unknown) / median(known)).toBeLessThan(2.5)
  })

  test('are refused while too many wait', async () => {
    const tooMany = MAX_CONCURRENT_HASHES + MAX_WAITING_HASHES + 1
    const results = await Promise.allSettled(Array.from({ length: tooMany }, () => passwords.matches('x', hash)))
    const refused = results.filter(result => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(tooMany / 2)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'UNAVAILABLE' })
  })
})

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
