import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
/** What a browser says of a page of ours (`same-origin`), and of what the user did without any page (`none`). */
const OWN_FETCH_SITES = new Set(['same-origin', 'none'])

/**
 * The origins that are the product's own: that of PUBLIC_URL. On one's own machine it has three names, and whoever opens
 * the one that is not in PUBLIC_URL is no stranger.
 */
export function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl)
  if (!LOOPBACK_NAMES.includes(url.hostname)) return new Set([url.origin])
  const port = url.port === '' ? '' : `:${url.port}`
  return new Set(LOOPBACK_NAMES.map(name => `${url.protocol}//${name}${port}`))
}

/**
 * Whether a request may change something: it comes from a page of ours, or from no browser at all. Every browser sends at
 * least one of the two headers with a write, and no page can forge them.
 */
export function isOwnSite(headers: IncomingHttpHeaders, origins: ReadonlySet<string>): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin !== undefined && !origins.has(origin)) return false
  return site === undefined || (typeof site === 'string' && OWN_FETCH_SITES.has(site))
}

/** Methods that change nothing. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
