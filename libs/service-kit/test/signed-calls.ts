import type { ServiceName } from '@holdfast/contracts/route'
import { ACTOR_HEADER, type Actor, signActor, type UserActor } from '../src/auth/actor.js'
import { type ActorKeys, parseActorKeys } from '../src/auth/actor-keys.js'
import { contentOf } from '../src/auth/signed-content.js'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64url')
export const ACTOR_KEYS = JSON.stringify({ 'gateway>listing-svc': key(7), 'dispute-svc>listing-svc': key(8) })
export const keys = parseActorKeys(ACTOR_KEYS) as ActorKeys

export const ana: UserActor = { kind: 'user', id: 'ana', role: 'user', plan: 'standard' }
export const mediator: UserActor = { kind: 'user', id: 'mia', role: 'admin', plan: 'standard' }

export interface SignedCall {
  readonly path: string
  readonly method?: string
  readonly actor?: Actor | null
  readonly caller?: ServiceName
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array | undefined
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers of every shape.
  readonly json: Readonly<Record<string, unknown>>
}

/** Calls a service at its own port, signed as the gateway unless `caller` names another service. */
export async function callSigned(origin: string, call: SignedCall): Promise<Answered> {
  const { path, method = 'GET', actor = null, caller = 'gateway' } = call
  const binding = { keys, callee: 'listing-svc' as const, method, path, now: new Date() }
  const body = call.body === undefined ? null : Buffer.from(call.body)
  // The values as they arrive: white space around them is not sent.
  const headers = Object.fromEntries(Object.entries(call.headers ?? {}).map(([name, value]) => [name, value.trim()]))
  const signature = signActor({ caller, actor, clientIp: '203.0.113.9' }, contentOf(headers, body), binding)
  const response = await fetch(origin + path, {
    method,
    headers: { [ACTOR_HEADER]: signature, ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? {} : JSON.parse(text) }
}

/** A JSON body with the header it needs. */
export const json = (value: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})
