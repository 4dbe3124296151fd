import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a request may be larger than the usual limit, because its route allows it. It does not read the body, so that the
 * request can be delayed or refused first. A request that declares no length counts as large.
 */
export function mayBeLarge(request: FastifyRequest): boolean {
  if ((request.routeOptions.bodyLimit ?? 0) <= MAX_REQUEST_BYTES) return false
  return !(declaredBytes(request) <= MAX_REQUEST_BYTES)
}

/** How long a request says its body is: 0 without a body, infinite when it declares no length, NaN when it cannot be read. */
export const declaredBytes = ({ headers }: Pick<FastifyRequest, 'headers'>): number =>
  Number(headers['content-length'] ?? (headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : 0))
