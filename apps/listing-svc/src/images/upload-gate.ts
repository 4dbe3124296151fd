import { mayBeLarge } from '@holdfast/service-kit/http/large-request'
import { BoundedQueue } from '@holdfast/service-kit/lifecycle/bounded-queue'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Requests with pictures that are in memory at a time, and that may wait for it. */
export const UPLOADS_AT_ONCE = 2
export const MAX_UPLOADS_WAITING = 50
/** The time within which an admitted body must arrive, so that a slow sender does not hold up the requests that wait. */
export const MAX_RECEIVE_MS = 30_000

/**
 * Admits large requests a few at a time, before their body is read. A body of 32 MB needs three times that in memory
 * until its pictures are kept. A request that waits costs only a socket, since TCP flow control stops its sender.
 */
export function installUploadGate(fastify: FastifyInstance): void {
  const uploads = new BoundedQueue(UPLOADS_AT_ONCE, MAX_UPLOADS_WAITING)
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!mayBeLarge(request)) return done()
    uploads.run(() => untilAnswered(request, reply, done)).catch(done)
  })
}

/** Admits the request and resolves when it has ended in any way. A client that left while waiting is not admitted. */
function untilAnswered(request: FastifyRequest, { raw: answer }: FastifyReply, admit: () => void): Promise<void> {
  if (answer.destroyed || answer.closed) return Promise.resolve()
  return new Promise(resolve => {
    const late = setTimeout(() => {
      // Without an error the reader of the body would wait for the rest for ever.
      if (!request.raw.complete) request.raw.destroy(new Error('the body did not arrive in time'))
    }, MAX_RECEIVE_MS)
    answer.once('close', () => {
      clearTimeout(late)
      resolve()
    })
    admit()
  })
}
