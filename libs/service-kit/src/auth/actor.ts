import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { SERVICES, type ServiceName } from '@holdfast/contracts/topology'
import { PLANS, type Plan, USER_ROLES, type UserRole } from '@holdfast/kernel/users'

export const ACTOR_HEADER = 'x-holdfast-actor'
/** How long a signature is valid: enough for a slow call, and short enough that a stolen one expires soon. */
export const ACTOR_LIFE_SECONDS = 30
/** The clocks of two machines may differ by this much. */
const CLOCK_SKEW_SECONDS = 5
const MAX_HEADER_LENGTH = 2_048
const KEY_BYTES = 32

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
  /** The hash of the body (`hashOfBody`). Only signatures that cover the body have it. */
  readonly bodyHash?: string
}

/** The hash that a signature contains to cover a body. */
export const hashOfBody = (body: Buffer): string => hash('sha256', body, 'base64url')

/** A key for each pair of services, by `caller>callee`. A process has only the pairs that it belongs to. */
export type ActorKeys = ReadonlyMap<string, KeyObject>

/** Reads ACTOR_KEYS: `{"gateway>escrow-svc": "<base64url of 32 bytes>", …}`. Returns an error text when it is invalid. */
export function parseActorKeys(text: string): ActorKeys | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return 'must be JSON'
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'must be a JSON object'
  const keys = new Map<string, KeyObject>()
  for (const [pair, value] of Object.entries(json)) {
    if (!isPair(pair)) return `${JSON.stringify(pair)} is not a pair of services`
    const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64url')
    if (bytes.length !== KEY_BYTES) return `the key of ${pair} must be ${KEY_BYTES} bytes in base64url`
    keys.set(pair, createSecretKey(bytes))
  }
  return keys
}

const isService = (name: unknown): name is ServiceName => (SERVICES as readonly unknown[]).includes(name)
const isPair = (pair: string): boolean => pair.split('>').length === 2 && pair.split('>').every(isService)

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
 * Signs the caller of one request: `v1.<payload>.<HMAC-SHA256>`, bound to callee, method and path, valid for 30 s.
 *
 * @throws Error when this process has no key for the pair: a fault of configuration
 */
export function signActor(from: Caller, binding: Binding): string {
  const key = binding.keys.get(`${from.caller}>${binding.callee}`)
  if (!key) throw new Error(`no key to call ${binding.callee} as ${from.caller}`)
  const { actor } = from
  const payload: Payload = {
    c: from.caller,
    e: Math.floor(binding.now.getTime() / 1000) + ACTOR_LIFE_SECONDS,
    ...(from.clientIp === null ? {} : { a: from.clientIp }),
    ...(from.bodyHash === undefined ? {} : { b: from.bodyHash }),
    ...(actor?.kind === 'user' ? { u: actor.id, r: actor.role, p: actor.plan } : {}),
    ...(actor?.kind === 'user' && actor.sessionId ? { s: actor.sessionId } : {}),
    ...(actor?.kind === 'service' ? { n: actor.name } : {}),
  }
  const head = `v1.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
  return `${head}.${signatureOf(head, key, binding).toString('base64url')}`
}

/** The caller that signed the request; null when the signature is missing, forged, expired or made for another request. */
export function verifyActor(header: string | undefined, binding: Binding): Caller | null {
  if (!header || header.length > MAX_HEADER_LENGTH || !header.startsWith('v1.')) return null
  const end = header.lastIndexOf('.')
  const head = header.slice(0, end)
  const payload = parsePayload(head.slice(3))
  const key = payload && binding.keys.get(`${payload.c}>${binding.callee}`)
  if (!key) return null
  const expected = signatureOf(head, key, binding)
  const given = Buffer.from(header.slice(end + 1), 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const seconds = binding.now.getTime() / 1000
  if (payload.e < seconds || payload.e > seconds + ACTOR_LIFE_SECONDS + CLOCK_SKEW_SECONDS) return null
  return callerOf(payload)
}

/** The payload of the header. The names are short, since every call carries it. */
interface Payload {
  readonly c: ServiceName
  readonly e: number
  readonly a?: string
  readonly b?: string
  readonly u?: string
  readonly r?: UserRole
  readonly p?: Plan
  readonly s?: string
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
  const { c, e } = payload as Partial<Payload>
  return typeof c === 'string' && typeof e === 'number' ? (payload as Payload) : null
}

/** Reads a verified payload. Its values are checked too, because another release may have signed it. */
function callerOf({ c, a, b, u, r, p, s, n }: Payload): Caller | null {
  const base = { caller: c, clientIp: a ?? null, ...(b === undefined ? {} : { bodyHash: b }) }
  if (n !== undefined) return n === c ? { ...base, actor: { kind: 'service', name: n } } : null
  if (u === undefined) return { ...base, actor: null }
  const role = USER_ROLES.find(role => role === r)
  const plan = PLANS.find(plan => plan === p)
  if (!role || !plan) return null
  return { ...base, actor: { kind: 'user', id: u, role, plan, ...(s === undefined ? {} : { sessionId: s }) } }
}
