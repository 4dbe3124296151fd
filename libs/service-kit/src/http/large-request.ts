import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a request may hold more than the usual limit, as its route allows: known before its body is read, so that it
 * can be made to wait, or be refused. A length that is not declared may be any.
 */
export function mayBeLarge({ routeOptions, headers }: FastifyRequest): boolean {
  if ((routeOptions.bodyLimit ?? 0) <= MAX_REQUEST_BYTES) return false
  const declared = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : 0))
  return !(declared <= MAX_REQUEST_BYTES)
}
