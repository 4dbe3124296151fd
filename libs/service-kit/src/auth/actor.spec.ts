import { createHmac } from 'node:crypto'
import { ana, keys } from '../../test/signed-calls.js'
import { ACTOR_LIFE_SECONDS, type Binding, type Caller, signActor, verifyActor } from './actor.js'
import { type ActorKeys, parseActorKeys } from './actor-keys.js'
import { contentOf } from './signed-content.js'

const now = new Date('2026-11-21T12:00:00Z')
const binding: Binding = { keys, callee: 'listing-svc', method: 'POST', path: '/api/listings/7?dry=yes', now }
const from: Caller = { caller: 'gateway', actor: { ...ana, sessionId: 'session-1' }, clientIp: '203.0.113.9' }
const content = contentOf({ 'idempotency-key': 'once', 'if-match': '"7"' }, '{"name":"Lamp"}')
const header = signActor(from, content, binding)
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('verifyActor', () => {
  test('accepts a signature that was made for this request', () => {
    expect(verifyActor(header, binding)).toEqual({ ...from, content, nonce: expect.any(String) })
  })

  test('distinguishes a service, a user and a visitor', () => {
    for (const actor of [{ kind: 'service', name: 'gateway' } as const, ana, null]) {
      const caller = { caller: 'gateway', actor, clientIp: null } as const
      expect(verifyActor(signActor(caller, content, binding), binding)).toMatchObject(caller)
    }
  })

  test.each([
    ['another path', { path: '/api/listings/8?dry=yes' }],
    ['another query', { path: '/api/listings/7?dry=no' }],
    ['another method', { method: 'GET' }],
    ['another callee', { callee: 'escrow-svc' as const }],
    ['a later time', { now: after(ACTOR_LIFE_SECONDS + 1) }],
    ['a time long before', { now: after(-60) }],
  ])('refuses it for %s', (_, change) => {
    expect(verifyActor(header, { ...binding, ...change })).toBeNull()
  })

  test('accepts a signature until it expires', () => {
    expect(verifyActor(header, { ...binding, now: after(ACTOR_LIFE_SECONDS) })).toMatchObject(from)
  })

  test('refuses a caller who signs with the key of another pair', () => {
    const swapped = { ...binding, keys: new Map([['gateway>listing-svc', keys.get('dispute-svc>listing-svc')!]]) }
    expect(verifyActor(signActor(from, content, swapped), binding)).toBeNull()
  })

  test('refuses a payload that was changed', () => {
    const [version, payload, signature] = header.split('.') as [string, string, string]
    const forged = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), r: 'admin' }
    const text = Buffer.from(JSON.stringify(forged)).toString('base64url')
    expect(verifyActor([version, text, signature].join('.'), binding)).toBeNull()
  })

  test('refuses a user who claims to be a service, and unknown roles', () => {
    const odd = [
      { kind: 'service', name: 'escrow-svc' },
      { ...ana, role: 'owner' },
      { ...ana, plan: 'gold' },
    ] as unknown as Caller['actor'][]
    for (const actor of odd) expect(verifyActor(signActor({ ...from, actor }, content, binding), binding)).toBeNull()
  })

  test.each([
    undefined,
    '',
    'v1',
    'v1.',
    'v1..',
    'v1.e30.',
    'v1.bnVsbA.AA',
    'v1.W10.AA',
    'v1.%%%.%%%',
    `v2${header.slice(2)}`,
    header.slice(0, -1),
    `${header}A`,
    'v1.'.padEnd(100_000, 'A'),
    `v1.${Buffer.from('{"c":"__proto__>","e":9999999999}').toString('base64url')}.AA`,
  ])('refuses malformed headers without a fault (%#)', malformed => {
    expect(verifyActor(malformed, binding)).toBeNull()
  })

  test('cannot sign for a pair without a key', () => {
    expect(() => signActor(from, content, { ...binding, callee: 'escrow-svc' })).toThrow(
      'no key to call escrow-svc as gateway',
    )
  })
})

test('no two signatures have the same nonce', () => {
  const nonces = Array.from({ length: 100 }, () => verifyActor(signActor(from, content, binding), binding)?.nonce)
  expect(new Set(nonces).size).toBe(100)
})

describe('while the key of a pair is rotated', () => {
  const [last, next] = [Buffer.alloc(32, 1).toString('base64url'), Buffer.alloc(32, 2).toString('base64url')]
  const withKeys = (...ofPair: string[]): Binding => {
    return { ...binding, keys: parseActorKeys(JSON.stringify({ 'gateway>listing-svc': ofPair })) as ActorKeys }
  }
  const accepts = (signer: Binding, verifier: Binding) =>
    verifyActor(signActor(from, content, signer), verifier) !== null

  test('processes at neighbouring steps accept each other’s signatures', () => {
    const steps = [withKeys(last), withKeys(last, next), withKeys(next, last), withKeys(next)]
    for (const [index, step] of steps.entries())
      for (const neighbour of steps.slice(Math.max(0, index - 1), index + 2)) {
        expect(accepts(step, neighbour)).toBe(true)
      }
  })

  test('a key that was removed signs nothing any more', () => {
    expect(accepts(withKeys(last), withKeys(next))).toBe(false)
  })

  test.each(['k', 'x', 'b'])('a signature that leaves out “%s”, which it has to cover, is refused', field => {
    const [, payload] = signActor(from, content, withKeys(last)).split('.') as [string, string]
    const { [field]: _, ...rest } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const head = `v1.${Buffer.from(JSON.stringify(rest)).toString('base64url')}`
    const bound = `listing-svc
POST
/api/listings/7?dry=yes
${head}`
    const signature = createHmac('sha256', Buffer.alloc(32, 1)).update(bound).digest('base64url')
    expect(verifyActor(`${head}.${signature}`, withKeys(next, last))).toBeNull()
  })
})
