import { check } from 'k6'
import http from 'k6/http'
import { Rate } from 'k6/metrics'

const ORIGIN = __ENV.BASE_URL

/** As `sessionCookieName` of libs/contracts. */
const COOKIE = ORIGIN.startsWith('https:') ? '__Host-holdfast_session' : 'holdfast_session'

/** How many requests were refused because too many were under way. */
const busy = new Rate('refused_busy')

/** A 403 says that the listing is the buyer's own. */
const expected = http.expectedStatuses({ min: 200, max: 399 }, 403)

/** How many faults each virtual user prints. */
const REPORTED = 2
let reported = 0

/**
 * Calls the product. A 503 with `Retry-After` counts as refused and not as a fault: it fails `http_req_failed`, and no check.
 * @param {string} method
 * @param {string} path
 * @param {{ session?: string, body?: object, key?: string | undefined, name?: string }} request `name` groups requests whose paths differ by an id
 */
export function api(method, path, { session, body, key, name = path } = {}) {
  /** @type {Record<string, string>} */
  const headers = { origin: ORIGIN, ...(body && { 'content-type': 'application/json' }) }
  if (key) headers['idempotency-key'] = key
  const answer = http.request(method, ORIGIN + path, body ? JSON.stringify(body) : null, {
    headers,
    cookies: session ? { [COOKIE]: { value: session, replace: true } } : {},
    tags: { name: `${method} ${name}` },
    responseCallback: expected,
  })
  const isBusy = answer.status === 503 && answer.headers['Retry-After'] !== undefined
  busy.add(isBusy)
  const isFine = check(answer, {
    'answered, or refused as busy': ({ status }) => isBusy || (status >= 200 && status < 400) || status === 403,
  })
  if (!isFine && reported++ < REPORTED) console.error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return answer
}

/** The session that an answer sets; null for none. */
export const sessionOf = ({ cookies }) => cookies[COOKIE]?.[0]?.value ?? null

/**
 * Buys a listing. Answers null when it is the buyer's own, or the product is too busy.
 *
 * @param {string} session
 * @param {{ id: number, price: string }} listing
 * @param {string} [key]
 * @returns {any}
 */
export function buyListing(session, { id, price }, key) {
  const answer = api('POST', '/api/transactions', { session, key, body: { listingId: id, amount: price } })
  return answer.status === 201 ? answer.json() : null
}
