import { ConnectionError } from './api-error.js'
import type { HttpRequest, HttpResponse, Send } from './call.js'

/**
 * Sends through the browser's `fetch`, with the session's cookie, to the page's own origin.
 *
 * @param origin another origin to send to, such as a test's server
 */
export function sendFetch(origin = ''): Send {
  return async request => {
    const response = await fetchOnce(origin, request)
    return {
      status: response.status,
      header: name => response.headers.get(name),
      text: () => response.text().catch(asConnectionError(request)),
    } satisfies HttpResponse
  }
}

function fetchOnce(origin: string, request: HttpRequest): Promise<Response> {
  return fetch(origin + request.path, {
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal: request.signal ?? null,
    credentials: 'same-origin',
  }).catch(asConnectionError(request))
}

/** An aborted call rejects with the reason of the abort; every other rejection of `fetch` means that there is no answer. */
const asConnectionError = (request: HttpRequest) => (cause: unknown) => {
  if (request.signal?.aborted) throw cause
  throw new ConnectionError('the server could not be reached', { cause })
}
