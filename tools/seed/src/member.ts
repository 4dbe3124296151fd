import { setTimeout as sleep } from 'node:timers/promises'
import { type Input, isRepeatable, type Output, type RouteDefinition } from '@holdfast/contracts/route'
import { userRoutes } from '@holdfast/contracts/users'
import { ApiError, ConnectionError } from '@holdfast/http-client/api-error'
import { call, type HttpRequest, type HttpResponse, type Send } from '@holdfast/http-client/call'
import { DEMO_PASSWORD, type Person } from './people.js'

const ANSWER_WITHIN_MS = 20_000
/** A service that is still starting answers no later than this. */
const STARTED_WITHIN_MS = 30_000
const PAUSE_MS = 200

/** A signed-in person of the demo, who calls the product as a browser does. */
export class Member {
  private constructor(
    readonly person: Person,
    readonly id: string,
    private readonly send: Send,
  ) {}

  /** Signs a person in, or up when there is no account yet. */
  static async signIn(gatewayUrl: string, person: Person): Promise<Member> {
    const send = sendWithCookies(gatewayUrl)
    const { email, firstName, lastName, username } = person
    const credentials = { email, password: DEMO_PASSWORD }
    const signedIn = await patientCall(userRoutes.signIn, { body: credentials }, send).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'INVALID_CREDENTIALS')) throw error
      return patientCall(userRoutes.signUp, { body: { ...credentials, firstName, lastName, username } }, send)
    })
    return new Member(person, signedIn.user.id, send)
  }

  /**
   * Calls the product. While a service is still starting, what may be repeated is repeated.
   *
   * @throws ApiError, ConnectionError
   */
  call<R extends RouteDefinition>(route: R, input: Input<R>): Promise<Output<R>> {
    return patientCall(route, input, this.send)
  }
}

async function patientCall<R extends RouteDefinition>(route: R, input: Input<R>, send: Send): Promise<Output<R>> {
  const end = performance.now() + STARTED_WITHIN_MS
  for (;;) {
    try {
      return await call(route, input, send)
    } catch (error) {
      if (performance.now() > end || !mayRepeat(route, input, error)) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Whether a call that has failed was not carried out for certain, or may be carried out twice. */
function mayRepeat(route: RouteDefinition, { headers }: { headers?: object }, error: unknown): boolean {
  if (error instanceof ApiError) {
    if (error.status !== 503) return false
    if (error.code !== 'INTERNAL' && error.details?.outcome !== 'unknown') return true
  } else if (!(error instanceof ConnectionError)) return false
  return isRepeatable(route, (headers as Record<string, string> | undefined)?.['idempotency-key'])
}

/** A `send` that keeps its cookies, as a browser does. */
function sendWithCookies(origin: string): Send {
  const cookies = new Map<string, string>()
  return async request => {
    const response = await fetchOnce(origin, request, [...cookies.values()].join('; '))
    for (const line of response.headers.getSetCookie()) {
      const cookie = line.split(';', 1)[0] ?? ''
      cookies.set(cookie.split('=', 1)[0] ?? '', cookie)
    }
    return {
      status: response.status,
      header: name => response.headers.get(name),
      text: () => response.text(),
    } satisfies HttpResponse
  }
}

async function fetchOnce(origin: string, request: HttpRequest, cookie: string): Promise<Response> {
  try {
    return await fetch(origin + request.path, {
      method: request.method,
      headers: { ...request.headers, ...(cookie ? { cookie } : {}) },
      body: request.body ?? null,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
  } catch (cause) {
    throw new ConnectionError(`${request.method} ${request.path} was not answered`, { cause })
  }
}
