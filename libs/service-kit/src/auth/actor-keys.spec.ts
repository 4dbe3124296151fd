import { parseActorKeys } from './actor-keys.js'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64url')
const PAIR = 'gateway>escrow-svc'

describe('ACTOR_KEYS', () => {
  test('has one key for each pair of services, or several while one is rotated', () => {
    const keys = parseActorKeys(JSON.stringify({ [PAIR]: key(1), 'dispute-svc>escrow-svc': [key(2), key(3)] }))
    if (typeof keys === 'string') throw new Error(keys)
    expect(keys.get(PAIR)).toHaveLength(1)
    expect(keys.get('dispute-svc>escrow-svc')?.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^[\w-]{8}$/),
      expect.stringMatching(/^[\w-]{8}$/),
    ])
  })

  test('the id of a key is the same in every process, and tells nothing of the key', () => {
    const idOf = (text: string) => {
      const keys = parseActorKeys(JSON.stringify({ [PAIR]: text }))
      if (typeof keys === 'string') throw new Error(keys)
      return keys.get(PAIR)?.[0]?.id
    }
    expect(idOf(key(1))).toBe(idOf(key(1)))
    expect(idOf(key(1))).not.toBe(idOf(key(2)))
    expect(key(1)).not.toContain(idOf(key(1)))
  })

  test.each([
    ['{', 'must be JSON'],
    ['[]', 'must be a JSON object'],
    [JSON.stringify({ 'gateway>nobody': key(1) }), '"gateway>nobody" is not a pair of services'],
    [JSON.stringify({ [PAIR]: 'short' }), `the key of ${PAIR} must be 32 bytes in base64url`],
    [JSON.stringify({ [PAIR]: [key(1), 7] }), `the key of ${PAIR} must be 32 bytes in base64url`],
    [JSON.stringify({ [PAIR]: [] }), `${PAIR} must have 1 to 3 keys`],
    [JSON.stringify({ [PAIR]: [1, 2, 3, 4].map(key) }), `${PAIR} must have 1 to 3 keys`],
    [JSON.stringify({ [PAIR]: [key(1), key(1)] }), `${PAIR} has a key twice`],
  ])('%s is refused', (text, reason) => {
    expect(parseActorKeys(text)).toBe(reason)
  })
})
