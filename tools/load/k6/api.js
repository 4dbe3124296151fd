import { check } from 'k6'
import http from 'k6/http'
import { Rate } from 'k6/metrics'

const ORIGIN = __ENV.BASE_URL

/** How many requests were refused because too many were under way. */
const busy = new Rate('refused_busy')

const OWN = [{ min: 200, max: 399 }, 403]
const expected = http.expectedStatuses(...OWN)

/**
 * Calls the product. A 503 with `Retry-After` counts as refused and not as a fault: it fails `http_req_failed`, and no check.
 * @param name groups requests whose paths differ by an id
 */
export function api(method, path, { session, body, key, name = path } = {}) {
  const headers = { origin: ORIGIN, ...(body && { 'content-type': 'application/json' }) }
  if (session) headers.cookie = `holdfast_session=${session}`
  if (key) headers['idempotency-key'] = key
  const answer = http.request(method, ORIGIN + path, body ? JSON.stringify(body) : null, {
    headers,
    tags: { name: `${method} ${name}` },
    responseCallback: expected,
  })
  const isBusy = answer.status === 503 && answer.headers['Retry-After'] !== undefined
  busy.add(isBusy)
  check(answer, {
    'answered, or refused as busy': ({ status }) => isBusy || (status >= 200 && status < 400) || status === 403,
  })
  return answer
}

/** The session that an answer sets; null for none. */
export const sessionOf = ({ cookies }) => cookies.holdfast_session?.[0]?.value ?? null

/** Buys a listing. Answers null when it is the buyer's own, or the product is too busy. */
export function buyListing(session, { id, price }, key) {
  const answer = api('POST', '/api/transactions', { session, key, body: { listingId: id, amount: price } })
  return answer.status === 201 ? answer.json() : null
}
