import type { ServiceName } from '@holdfast/contracts/route'
import { newId } from '@holdfast/kernel/ids'
import { ACTOR_HEADER, type Actor, signActor, type UserActor } from '@holdfast/service-kit/auth/actor'
import { type ActorKeys, parseActorKeys } from '@holdfast/service-kit/auth/actor-keys'
import { contentOf } from '@holdfast/service-kit/auth/signed-content'

const TEST_KEY = Buffer.alloc(32, 7).toString('base64url')

/** The ACTOR_KEYS with which these callers may call `callee`. */
export const testActorKeys = (callee: ServiceName, ...callers: readonly ServiceName[]): string =>
  JSON.stringify(Object.fromEntries(callers.map(caller => [`${caller}>${callee}`, TEST_KEY])))

/** A signed-in user; by default one who appears in no other test. */
export const userActor = (id: string = newId()): UserActor => ({
  kind: 'user',
  id,
  role: 'user',
  plan: 'standard',
  sessionId: newId(),
})

/** The optional parts of a request. */
export interface SignedRequest {
  /** The signed-in user; a visitor when left out. */
  readonly actor?: Actor | null
  /** Which service calls; the gateway when left out. */
  readonly caller?: ServiceName
  readonly clientIp?: string
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Their names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the request, as a caller that leaves does. */
  readonly signal?: AbortSignal
}

export interface SignedAnswer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON, of the type that the test expects; undefined when there is none. */
  readonly body: T
}

/** Calls a service as the gateway does: over HTTP, with a signed actor. */
export class SignedClient {
  readonly #origin: string
  readonly #callee: ServiceName
  readonly #keys: ActorKeys

  constructor(port: number, callee: ServiceName, keys: string) {
    const parsed = parseActorKeys(keys)
    if (typeof parsed === 'string') throw new Error(parsed)
    this.#origin = `http://127.0.0.1:${port}`
    this.#callee = callee
    this.#keys = parsed
  }

  /** @param path with its query, as it is sent */
  async request<T = unknown>(method: string, path: string, request: SignedRequest = {}): Promise<SignedAnswer<T>> {
    const response = await this.fetch(method, path, request)
    const text = await response.text()
    const json: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, body: json as T }
  }

  /** As `request`, for an answer that is not JSON. */
  fetch(method: string, path: string, request: SignedRequest = {}): Promise<Response> {
    return fetch(this.signed(method, path, request))
  }

  /** A signed request. Somebody who has seen it could send it again: `fetch(signed.clone())`. */
  signed(method: string, path: string, request: SignedRequest = {}): Request {
    const { actor = null, caller = 'gateway', clientIp = null, body: given, headers = {}, signal = null } = request
    const body = given === undefined ? null : typeof given === 'string' ? given : JSON.stringify(given)
    const binding = { keys: this.#keys, callee: this.#callee, method, path, now: new Date() }
    return new Request(this.#origin + path, {
      method,
      signal,
      headers: {
        [ACTOR_HEADER]: signActor({ caller, actor, clientIp }, contentOf(headers, body), binding),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    })
  }

  /** Calls without a signature, as a caller that bypasses the gateway would. */
  async unsigned(method: string, path: string): Promise<number> {
    return (await fetch(this.#origin + path, { method })).status
  }
}
