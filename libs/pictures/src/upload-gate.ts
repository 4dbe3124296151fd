import { mayBeLarge } from '@holdfast/service-kit/http/large-request'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The most requests with pictures in memory at a time, and the most that may wait. */
const UPLOADS_AT_ONCE = 2
const MAX_UPLOADS_WAITING = 50
/** The time in which an admitted body must arrive, so that a slow sender does not delay the waiting requests. */
const MAX_RECEIVE_MS = 30_000

/**
 * Admits a few large requests at a time, before their bodies are read. Users take turns. A body of 32 MB needs three times as much memory
 * until its pictures are stored. A waiting request needs only a socket, because TCP flow control stops its sender.
 */
export function installUploadGate(fastify: FastifyInstance): void {
  const uploads = new FairQueue({ concurrency: UPLOADS_AT_ONCE, maxWaiting: MAX_UPLOADS_WAITING })
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!mayBeLarge(request)) return done()
    const { actor } = request.caller ?? {}
    const owner = actor?.kind === 'user' ? actor.id : ''
    uploads.run(owner, () => untilAnswered(request, reply, done)).catch(done)
  })
}

/** Admits the request and resolves when it has ended. A request whose client left while it waited is not admitted. */
function untilAnswered(request: FastifyRequest, { raw: answer }: FastifyReply, admit: () => void): Promise<void> {
  if (answer.destroyed || answer.closed) return Promise.resolve()
  return new Promise(resolve => {
    const late = setTimeout(() => {
      // Without an error, reading the body would never end.
      if (!request.raw.complete) request.raw.destroy(new Error('the body did not arrive in time'))
    }, MAX_RECEIVE_MS)
    answer.once('close', () => {
      clearTimeout(late)
      resolve()
    })
    admit()
  })
}
