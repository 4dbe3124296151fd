import { MAX_CONCURRENT_HASHES, MAX_WAITING_HASHES, MAX_WAITING_HASHES_PER_NETWORK, Passwords } from './passwords.js'

const NETWORK = 'network'
const TURN = { network: NETWORK }
const FLOODING = { network: 'flooding' }

describe('passwords', () => {
  const passwords = new Passwords()
  let hash: string
  beforeAll(async () => {
    hash = await passwords.hash('correct horse', NETWORK)
  })

  test('are hashed by argon2id with the parameters that OWASP recommends', () => {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('match only their own hash', async () => {
    expect(await passwords.matches('correct horse', hash, TURN)).toBe(true)
    expect(await passwords.matches('wrong horse', hash, TURN)).toBe(false)
  })

  test('never match for an unknown e-mail, and the check takes the same time', async () => {
    expect(await passwords.matches('correct horse', null, TURN)).toBe(false)
    const known: number[] = []
    const unknown: number[] = []
    // The two alternate, so that other work of the machine slows both down equally.
    for (let i = 0; i < 9; i++) {
      known.push(await time(() => passwords.matches('wrong horse', hash, TURN)))
      unknown.push(await time(() => passwords.matches('wrong horse', null, TURN)))
    }
    expect(median(unknown) / median(known)).toBeGreaterThan(0.4)
    expect(median(unknown) / median(known)).toBeLessThan(2.5)
  })

  test('are refused while too many wait', async () => {
    const tooMany = MAX_CONCURRENT_HASHES + MAX_WAITING_HASHES + 1
    const attempts = Array.from({ length: tooMany }, (_, nth) => passwords.matches('x', hash, { network: `${nth}` }))
    const results = await Promise.allSettled(attempts)
    const refused = results.filter(result => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(tooMany / 2)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('when a network sends many passwords at once', () => {
  const passwords = new Passwords()
  let hash: string
  beforeAll(async () => {
    hash = await passwords.hash('correct horse', NETWORK)
  })

  test('its own are refused, and a person of another network waits for one turn only', async () => {
    let flooded = 0
    const flood = Array.from({ length: 150 }, () =>
      passwords.matches('x', hash, FLOODING).then(
        () => flooded++,
        (error: unknown) => error,
      ),
    )
    expect(await passwords.matches('correct horse', hash, { network: 'another' })).toBe(true)
    expect(flooded).toBeLessThanOrEqual(MAX_CONCURRENT_HASHES + 1)
    const refused = (await Promise.all(flood)).filter(result => typeof result !== 'number')
    expect(refused).toHaveLength(150 - MAX_CONCURRENT_HASHES - MAX_WAITING_HASHES_PER_NETWORK)
    for (const error of refused) expect(error).toMatchObject({ code: 'RATE_LIMITED' })
  })

  test('a person with a known browser signs in although every slot of the strangers is taken', async () => {
    const flood = Array.from({ length: 2 * MAX_WAITING_HASHES }, (_, nth) =>
      passwords.matches('x', hash, { network: `${nth}` }),
    )
    const ended = Promise.allSettled(flood)
    expect(await passwords.matches('correct horse', hash, { knownUser: 'ana' })).toBe(true)
    await ended
  })
})

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
