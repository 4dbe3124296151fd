import type { IncomingHttpHeaders } from 'node:http'

/**
 * What a client's request tells a service. Everything else stays at the door: cookies (services know actors, not
 * sessions), `x-holdfast-*` and `x-forwarded-*` (anybody could write them), and what belongs to one connection only.
 */
export const FORWARDED_REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'range',
  'stripe-signature',
  'user-agent',
  'x-hmac-signature',
] as const

/** What a service's answer tells the client. */
export const FORWARDED_RESPONSE_HEADERS = [
  'accept-ranges',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'set-cookie',
  'vary',
] as const

/** The headers of a request that go on to the service, under lower-case names. */
export function forwardedRequestHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const forwarded: Record<string, string> = {}
  for (const name of FORWARDED_REQUEST_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  return forwarded
}
