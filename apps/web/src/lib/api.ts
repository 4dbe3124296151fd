import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import { ApiError, ConnectionError } from '@holdfast/http-client/api-error'
import { call, callPage, callTagged, type LightRoute, type Page, type Tagged } from '@holdfast/http-client/call'
import { sendFetch } from '@holdfast/http-client/send-fetch'
import { ADMIN_NEEDS_SECOND_FACTOR, setNeedsSecondFactor } from './admin-second-factor.js'

/** After this long an answer is given up; what the server did is then unknown. Uploads of pictures get longer. */
const TIMEOUT_MS = 30_000
export const UPLOAD_TIMEOUT_MS = 120_000

const send = sendFetch()

type Listener = (route: { readonly path: string }) => void
let notifyUnauthenticated: Listener = () => undefined

/** Sets the function that is called when an answer says that the session is over. */
export function onUnauthenticated(listener: Listener): void {
  notifyUnauthenticated = listener
}

interface RequestOptions {
  readonly timeoutMs?: number
  /** A write keeps its key when it is repeated: the server then does it once. */
  readonly idempotencyKey?: string
}

/**
 * Calls the server.
 *
 * @throws ApiError for a refusal; its `code` decides, its `serverMessage` is fit for a person
 * @throws ConnectionError when there was no answer: whether it happened is unknown
 */
export function request<R extends RouteDefinition>(
  route: LightRoute<R>,
  input: Input<R>,
  { timeoutMs = TIMEOUT_MS, idempotencyKey }: RequestOptions = {},
): Promise<Output<R>> {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  return call(route, input, send, { signal: AbortSignal.timeout(timeoutMs), headers }).catch(asKnown(route))
}

/** As `request`, for a list of several pages: answers also where the next page is. */
export function requestPage<R extends RouteDefinition>(
  route: LightRoute<R>,
  input: Input<R>,
): Promise<Page<Output<R>>> {
  return callPage(route, input, send, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(asKnown(route))
}

/** As `request`, for what is going to be changed: answers also the tag of the state that was read. */
export function requestTagged<R extends RouteDefinition>(
  route: LightRoute<R>,
  input: Input<R>,
): Promise<Tagged<Output<R>>> {
  return callTagged(route, input, send, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(asKnown(route))
}

const asKnown =
  (route: { readonly path: string }) =>
  (error: unknown): never => {
    // A wrong password is a 401 too, but the session is not over.
    if (isStatus(error, 401) && error.code === 'UNAUTHENTICATED') notifyUnauthenticated(route)
    if (isStatus(error, 403) && error.code === ADMIN_NEEDS_SECOND_FACTOR) setNeedsSecondFactor(true)
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new ConnectionError('the server did not answer in time', { cause: error })
    }
    throw error
  }

export const isStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status

/** What a failed call says to a person: the server's own words, or `fallback` where there are none to show. */
export function serverWords(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.serverMessage !== '' ? error.serverMessage : fallback
}

/** What is wrong with each field of a refused form, by the names of the request's body. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {}
}

const NOT_ANSWERED =
  'A part of Holdfast does not answer right now. This changes nothing about your money. Please try again.'

const isOutcomeUnknown = (error: unknown): boolean => error instanceof ApiError && error.details?.outcome === 'unknown'

/** Why something could not be loaded, in words for a person. */
export function loadFailure(error: unknown): string {
  if (error instanceof ConnectionError) return 'The server could not be reached.'
  const fallback = error instanceof Error ? error.message : 'Something went wrong on our side.'
  // Loading changes nothing, so the server's words for a change that may have been made do not fit.
  const words = isOutcomeUnknown(error) ? NOT_ANSWERED : serverWords(error, fallback)
  const requestId = error instanceof ApiError && error.requestId ? ` (reference ${error.requestId})` : ''
  return `${words}${requestId}`
}
