import type { FastifyRequest } from 'fastify'

/**
 * The signed bytes of a request, for a route with `handling: 'raw'`. A request without a body has no bytes, so its signature
 * is never valid.
 */
export const signedBody = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
