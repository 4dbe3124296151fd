import type { Input, Method, Output, RouteDefinition } from '@holdfast/contracts/route'
import { ApiError, ConnectionError } from './api-error.js'

/** A request as a `Send` gets it: the path begins with `/` and holds the query. */
export interface HttpRequest {
  readonly method: Method
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  /** The value of one header, by its lower-case name. */
  header(name: string): string | null
  text(): Promise<string>
}

/** Sends a request. Rejects with `ConnectionError` when there is no answer. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>

/**
 * A route without its schemas, for the web app, so that its bundle does not contain them. `type` does not exist at run time;
 * it links the entry to the contract it was made from.
 */
export interface LightRoute<R extends RouteDefinition> {
  readonly method: R['method']
  readonly path: R['path']
  readonly access: R['access']
  readonly type?: R
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A page of a list, and the address of the next page. */
export interface Page<T> {
  readonly answer: T
  /** The path and query of the next page, from `Link: rel="next"`; null on the last one. */
  readonly next: string | null
}

/** An answer with its ETag. */
export interface Tagged<T> {
  readonly answer: T
  /** The `ETag`, for the `If-Match` of a later change; null when the answer has none. */
  readonly etag: string | null
}

/**
 * Calls a route and returns its answer.
 *
 * @param input the parts the route declares: `params`, `query` (undefined is left out, arrays repeat), `headers`, `body`
 * @throws ApiError for every answer that is not 2xx
 * @throws ConnectionError when there was no answer, or a 2xx that is not JSON; after an abort the reason of `signal`
 */
export async function call<R extends RouteDefinition>(
  route: R | LightRoute<R>,
  input: Input<R>,
  send: Send,
  options: CallOptions = {},
): Promise<Output<R>> {
  return answerOf<R>(await ask(route, input, send, options))
}

/** As `call`, for a list with pages: also returns the address of the next page. */
export async function callPage<R extends RouteDefinition>(
  route: R | LightRoute<R>,
  input: Input<R>,
  send: Send,
  options: CallOptions = {},
): Promise<Page<Output<R>>> {
  const response = await ask(route, input, send, options)
  return { answer: await answerOf<R>(response), next: nextPageOf(response.header('link')) }
}

/** As `call`, for a record that is going to be changed: also returns the ETag of the state that was read. */
export async function callTagged<R extends RouteDefinition>(
  route: R | LightRoute<R>,
  input: Input<R>,
  send: Send,
  options: CallOptions = {},
): Promise<Tagged<Output<R>>> {
  const response = await ask(route, input, send, options)
  return { answer: await answerOf<R>(response), etag: response.header('etag') }
}

/** The path and query of a call. @throws Error when a path parameter is missing, which is a fault of the caller */
export function urlOf(path: string, input: { params?: unknown; query?: unknown } = {}): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '') throw new Error(`${path} needs the parameter ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = queryOf((input.query ?? {}) as Record<string, unknown>)
  return query === '' ? filled : `${filled}?${query}`
}

interface Parts {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

function ask(
  route: { readonly method: Method; readonly path: string },
  input: unknown,
  send: Send,
  options: CallOptions,
): Promise<HttpResponse> {
  const parts = input as Parts
  const headers: Record<string, string> = { accept: 'application/json' }
  if (parts.body !== undefined) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries({ ...parts.headers, ...options.headers })) {
    if (value !== undefined) headers[name.toLowerCase()] = String(value)
  }
  return send({
    method: route.method,
    path: urlOf(route.path, parts),
    headers,
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  })
}

function queryOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(name, String(one))
    }
  }
  return search.toString()
}

const NO_CONTENT = 204

async function answerOf<R>(response: HttpResponse): Promise<Output<R>> {
  const text = await response.text()
  const succeeded = response.status >= 200 && response.status < 300
  if (succeeded && (response.status === NO_CONTENT || text === '')) return undefined as Output<R>
  const json = isJson(response.header('content-type')) ? parse(text) : undefined
  if (!succeeded) throw apiErrorOf(response, json)
  if (json === undefined) throw new ConnectionError(`the answer is not JSON (status ${response.status})`)
  return json as Output<R>
}

const isJson = (contentType: string | null): boolean => contentType?.includes('json') ?? false

/** Undefined for a text that is not JSON, such as a proxy's error page. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function apiErrorOf(response: HttpResponse, json: unknown): ApiError {
  const body = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>
  const retryAfter = Number(response.header('retry-after') ?? Number.NaN)
  return new ApiError({
    status: response.status,
    code: typeof body.code === 'string' ? body.code : 'INTERNAL',
    serverMessage: typeof body.message === 'string' ? body.message : '',
    details: typeof body.details === 'object' ? (body.details as Record<string, unknown> | null) : null,
    requestId: typeof body.requestId === 'string' ? body.requestId : response.header('x-request-id'),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  })
}

function nextPageOf(link: string | null): string | null {
  return /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1] ?? null
}
