import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ServiceName } from '@holdfast/contracts/topology'
import { PLANS, type Plan, USER_ROLES, type UserRole } from '@holdfast/kernel/users'
import type { ActorKeys } from './actor-keys.js'
import type { SignedContent } from './signed-content.js'

export const ACTOR_HEADER = 'x-holdfast-actor'
/** How long a signature is valid: enough for a slow call, and short enough that a stolen one expires soon. */
export const ACTOR_LIFE_SECONDS = 30
/** The clocks of two machines may differ by this much. */
const CLOCK_SKEW_SECONDS = 5
const MAX_HEADER_LENGTH = 2_048

/** A user who is signed in. */
export interface UserActor {
  readonly kind: 'user'
  readonly id: string
  readonly role: UserRole
  readonly plan: Plan
  /** The session of the request. */
  readonly sessionId?: string
  /** An admin whose session was made without the second factor that admins need. The gateway alone knows it: their role is `user`. */
  readonly needsSecondFactor?: true
}
/** A service that acts without a user. */
export interface ServiceActor {
  readonly kind: 'service'
  readonly name: ServiceName
}
export type Actor = UserActor | ServiceActor

/** What a signed call states: which service calls, for which actor (null for a visitor), and from which address. */
export interface Caller {
  readonly caller: ServiceName
  readonly actor: Actor | null
  readonly clientIp: string | null
}

/** A caller whose signature was verified. */
export interface VerifiedCaller extends Caller {
  /** What else the signature covers. */
  readonly content: SignedContent
  /** Differs between any two signatures, so a request that is sent again has the same. */
  readonly nonce: string
}

/** The request that a signature is bound to. */
export interface Binding {
  readonly keys: ActorKeys
  readonly callee: ServiceName
  readonly method: string
  /** Path and query as they are sent. */
  readonly path: string
  readonly now: Date
}

/**
 * Signs the caller of one request: `v1.<payload>.<HMAC-SHA256>`, bound to callee, method, path and content, valid for 30 s.
 *
 * @throws Error when this process has no key for the pair: a fault of configuration
 */
export function signActor(from: Caller, content: SignedContent, binding: Binding): string {
  const key = binding.keys.get(`${from.caller}>${binding.callee}`)?.[0]
  if (!key) throw new Error(`no key to call ${binding.callee} as ${from.caller}`)
  const { actor } = from
  const payload: Payload = {
    c: from.caller,
    k: key.id,
    e: Math.floor(binding.now.getTime() / 1000) + ACTOR_LIFE_SECONDS,
    x: newNonce(),
    b: content.bodyHash,
    ...(content.headersHash === '' ? {} : { h: content.headersHash }),
    ...(from.clientIp === null ? {} : { a: from.clientIp }),
    ...(actor?.kind === 'user' ? { u: actor.id, r: actor.role, p: actor.plan } : {}),
    ...(actor?.kind === 'user' && actor.sessionId ? { s: actor.sessionId } : {}),
    ...(actor?.kind === 'service' ? { n: actor.name } : {}),
  }
  const head = `v1.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
  return `${head}.${signatureOf(head, key.secret, binding).toString('base64url')}`
}

/** The caller that signed the request; null when the signature is missing, forged, expired or made for another request. */
export function verifyActor(header: string | undefined, binding: Binding): VerifiedCaller | null {
  if (!header || header.length > MAX_HEADER_LENGTH || !header.startsWith('v1.')) return null
  const end = header.lastIndexOf('.')
  const head = header.slice(0, end)
  const payload = parsePayload(head.slice(3))
  const keys = payload && binding.keys.get(`${payload.c}>${binding.callee}`)
  if (!keys) return null
  const given = Buffer.from(header.slice(end + 1), 'base64url')
  const key = keys.find(({ id }) => id === payload.k)
  if (!key || !isSame(given, signatureOf(head, key.secret, binding))) return null
  const seconds = binding.now.getTime() / 1000
  if (payload.e < seconds || payload.e > seconds + ACTOR_LIFE_SECONDS + CLOCK_SKEW_SECONDS) return null
  return callerOf(payload)
}

const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)

// Random for the process, counted within it: drawing randomness for each call costs more than the signature's hash.
const NONCE_OF_PROCESS = randomBytes(12).toString('base64url')
let nonces = 0
const newNonce = (): string => `${NONCE_OF_PROCESS}-${(nonces++).toString(36)}`

/** The payload of the header. The names are short, since every call carries it. */
interface Payload {
  /** The service that calls. */
  readonly c: ServiceName
  /** The id of the key. */
  readonly k: string
  /** When the signature expires, in seconds since the epoch. */
  readonly e: number
  /** The nonce. */
  readonly x: string
  /** The hash of the body, and that of the headers. */
  readonly b: string
  readonly h?: string
  /** The address of the client. */
  readonly a?: string
  /** A user: id, role, plan and session. */
  readonly u?: string
  readonly r?: UserRole
  readonly p?: Plan
  readonly s?: string
  /** A service that acts without a user. */
  readonly n?: ServiceName
}

function signatureOf(head: string, key: KeyObject, binding: Binding): Buffer {
  // None of the parts can contain a newline, so two different bindings never make the same text.
  return createHmac('sha256', key).update(`${binding.callee}\n${binding.method}\n${binding.path}\n${head}`).digest()
}

/** Parses a payload whose signature is not verified yet; null when it is malformed. */
function parsePayload(text: string): Payload | null {
  let payload: unknown
  try {
    payload = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
  if (typeof payload !== 'object' || payload === null) return null
  const { c, k, e, x, b } = payload as Partial<Payload>
  return [c, k, x, b].every(text => typeof text === 'string') && typeof e === 'number' ? (payload as Payload) : null
}

/** Reads a verified payload. Its values are checked too, because another release may have signed it. */
function callerOf({ c, a, b, h, x, u, r, p, s, n }: Payload): VerifiedCaller | null {
  const base = { caller: c, clientIp: a ?? null, content: { bodyHash: b, headersHash: h ?? '' }, nonce: x }
  if (n !== undefined) return n === c ? { ...base, actor: { kind: 'service', name: n } } : null
  if (u === undefined) return { ...base, actor: null }
  const role = USER_ROLES.find(role => role === r)
  const plan = PLANS.find(plan => plan === p)
  if (!role || !plan) return null
  return { ...base, actor: { kind: 'user', id: u, role, plan, ...(s === undefined ? {} : { sessionId: s }) } }
}
