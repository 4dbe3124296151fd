import type { BatchableRequest } from './batched-request.js'

/**
 * The signed bytes of a request, for a route with `handling: 'raw'`. A request without a body has no bytes, so its signature
 * is never valid.
 */
export const signedBody = ({ body }: Pick<BatchableRequest, 'body'>): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)
