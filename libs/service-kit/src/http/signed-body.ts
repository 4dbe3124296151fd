import type { FastifyRequest } from 'fastify'

/**
 * The bytes of a request that were signed, for a route with `handling: 'raw'`. A call without a body gives no bytes, which
 * no signature fits.
 */
export const signedBody = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
