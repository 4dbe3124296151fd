import { ERROR_STATUS, type ErrorBody } from '@holdfast/contracts/errors'
import { ERROR_MESSAGES, type ErrorCode, type ErrorDetails } from '@holdfast/kernel/errors'
import { faultsOfAnswer, faultsOfRequest, findRoute, missingCodeOf } from './contract-check.js'

interface Answer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** True when a proxy before the server gives the answer, which therefore fits no contract. */
  readonly fromProxy?: true
}
interface Request {
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: unknown
}
export type Handler = (request: Request) => Answer | Promise<Answer>

const ORIGIN = 'http://localhost'

let watched = false
const breaches: string[] = []

/**
 * Begins to note the breaches of the contracts. The setup file of the web's tests calls it before each test. Until the test calls
 * `fakeServer`, its server has no handler, so that it does not meet the server of the test before.
 */
export function watchContracts(): void {
  if (watched) throw new Error('nothing has checked the contracts after the test before this one')
  watched = true
  fakeServer({})
}

/** Ends the watch. Gives the breaches that were found since the last one ended. */
export function takeBreaches(): string[] {
  watched = false
  return breaches.splice(0)
}

/** Fails the test in which a contract was broken: the page alone would only show a failed request, and the test could pass. */
export function expectContractsKept(): void {
  expect(takeBreaches()).toEqual([])
}

/**
 * Stands in for the server in a test: answers `fetch` by "METHOD /path", and notes every request in `calls`. It keeps to the
 * contracts: a request that the server would refuse, or an answer that it would not give, fails the test. A read that no
 * handler knows is answered with 404 where its route does that. Any other request without a handler fails the test. Throws where
 * nothing would check the contracts at the end of the test.
 *
 * Requests to another origin, such as the payment provider's, are answered by path too. No contract is checked for them.
 */
export function fakeServer(handlers: Readonly<Record<string, Handler>>): { readonly calls: string[] } {
  if (!watched) throw new Error('nothing checks the contracts at the end of this test')
  const calls: string[] = []
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const url = new URL(String(input), ORIGIN)
    const method = init?.method ?? 'GET'
    const name = `${method} ${url.pathname}`
    calls.push(name)
    const breach = (...faults: string[]) => breaches.push(...faults.map(fault => `${name}: ${fault}`))
    const request: Request = {
      query: url.searchParams,
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    const route = url.origin === ORIGIN ? findRoute(method, url.pathname) : undefined
    if (url.origin === ORIGIN && !route) breach('the server has no such route')
    if (route) breach(...faultsOfRequest(route, { ...request, path: url.pathname }))
    const missing = route?.method === 'GET' ? missingCodeOf(route) : undefined
    const handler = handlers[name] ?? (missing && (() => refusal(missing)))
    if (!handler) {
      breach('the test has no handler for it')
      return noAnswer()
    }
    const answer = await handler(request)
    if (route && !answer.fromProxy) breach(...faultsOfAnswer(route, answer.status ?? 200, answer.body))
    return asResponse(answer)
  })
  return { calls }
}

/** A refusal as the server writes it. */
export function refusal(
  code: ErrorCode,
  message: string = ERROR_MESSAGES[code],
  details: ErrorDetails | null = null,
): Answer {
  const body: ErrorBody = { code, message, error: message, details, requestId: 'test' }
  return { status: ERROR_STATUS[code], body }
}

/** The connection breaks before an answer comes. */
export function noAnswer(): never {
  throw new TypeError('Failed to fetch')
}

function asResponse({ status = 200, body, headers = {} }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}
