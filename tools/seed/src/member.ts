import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import { userRoutes } from '@holdfast/contracts/users'
import { ApiError, ConnectionError } from '@holdfast/http-client/api-error'
import { call, type HttpRequest, type HttpResponse, type Send } from '@holdfast/http-client/call'
import { DEMO_PASSWORD, type Person } from './people.js'

const ANSWER_WITHIN_MS = 20_000

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
    const signedIn = await call(userRoutes.signIn, { body: credentials }, send).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'INVALID_CREDENTIALS')) throw error
      return call(userRoutes.signUp, { body: { ...credentials, firstName, lastName, username } }, send)
    })
    return new Member(person, signedIn.user.id, send)
  }

  /** @throws ApiError, ConnectionError */
  call<R extends RouteDefinition>(route: R, input: Input<R>): Promise<Output<R>> {
    return call(route, input, this.send)
  }
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
