import type { IncomingHttpHeaders } from 'node:http'
import { LOOPBACK_NAMES } from '@holdfast/service-kit/lifecycle/loopback'

/** `sec-fetch-site` of requests from our own pages (`same-origin`) and from the address bar (`none`). */
const OWN_FETCH_SITES = new Set(['same-origin', 'none'])

/**
 * The product's own origins. In production this is the origin of PUBLIC_URL. On a developer's machine there are three,
 * because the loopback address has three names.
 */
export function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl)
  if (!LOOPBACK_NAMES.includes(url.hostname)) return new Set([url.origin])
  const port = url.port === '' ? '' : `:${url.port}`
  return new Set(LOOPBACK_NAMES.map(name => `${url.protocol}//${name}${port}`))
}

/**
 * Whether a write comes from our own site, or from a client that is not a browser. Every browser sends at least one of the
 * headers `origin` and `sec-fetch-site` with a write, and a page cannot forge them.
 */
export function isOwnSite(headers: IncomingHttpHeaders, origins: ReadonlySet<string>): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin !== undefined && !origins.has(origin)) return false
  return site === undefined || (typeof site === 'string' && OWN_FETCH_SITES.has(site))
}
