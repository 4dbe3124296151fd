import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a request may be larger than the usual limit, because its route allows it. It does not read the body, so that the
 * request can be delayed or refused first. A request that declares no length counts as large.
 */
export function mayBeLarge({ routeOptions, headers }: FastifyRequest): boolean {
  if ((routeOptions.bodyLimit ?? 0) <= MAX_REQUEST_BYTES) return false
  const declared = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : 0))
  return !(declared <= MAX_REQUEST_BYTES)
}
