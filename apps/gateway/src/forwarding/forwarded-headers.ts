import type { IncomingHttpHeaders } from 'node:http'
import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import type { FastifyReply } from 'fastify'

/**
 * The headers of a client's request that a service gets. All others are dropped: cookies (services know actors, not
 * sessions), `x-holdfast-*` and `x-forwarded-*` (any client could forge them), and the headers of a single connection.
 */
const FORWARDED_REQUEST_HEADERS = [
  'accept',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'user-agent',
  ...Object.values(SIGNATURE_HEADERS),
] as const

/** The headers of a service's answer that the client gets. */
export const FORWARDED_RESPONSE_HEADERS = [
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-type',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'set-cookie',
  'vary',
] as const

/** The forwarded headers of a request, under lower-case names. */
export function forwardedRequestHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const forwarded: Record<string, string> = {}
  for (const name of FORWARDED_REQUEST_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  return forwarded
}

/** Gives the client the status and the forwarded headers of a service's answer. */
export function forwardAnswerHead(
  reply: FastifyReply,
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): void {
  reply.code(status)
  for (const name of FORWARDED_RESPONSE_HEADERS) {
    const value = headers[name]
    if (value !== undefined) reply.header(name, value)
  }
}
