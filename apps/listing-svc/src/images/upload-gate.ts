import { mayBeLarge } from '@holdfast/service-kit/http/large-request'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Turnstile } from '../turnstile.js'

/** Requests with pictures that are in memory at a time, and how many may wait at the door. */
export const UPLOADS_AT_ONCE = 2
export const MAX_UPLOADS_WAITING = 50
/** Once let in, a body must be here within this time: whoever dawdles would hold everybody else's place. */
export const MAX_RECEIVE_MS = 30_000

/**
 * Holds large requests back before their body is read. One of 32 MB takes three times that in memory until its pictures
 * are kept; those that wait cost a socket, whose sender the network slows down.
 */
export function installUploadGate(fastify: FastifyInstance): void {
  const turnstile = new Turnstile(UPLOADS_AT_ONCE, MAX_UPLOADS_WAITING)
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!mayBeLarge(request)) return done()
    turnstile.pass(() => untilAnswered(request, reply, done)).catch(done)
  })
}

/** Lets the request in, and resolves when it is over, however it ends. Who left while waiting is not let in. */
function untilAnswered(request: FastifyRequest, { raw: answer }: FastifyReply, letIn: () => void): Promise<void> {
  if (answer.destroyed || answer.closed) return Promise.resolve()
  return new Promise(resolve => {
    const late = setTimeout(() => {
      // With an error, or whoever reads the body would wait for the rest of it for ever.
      if (!request.raw.complete) request.raw.destroy(new Error('the body did not arrive in time'))
    }, MAX_RECEIVE_MS)
    answer.once('close', () => {
      clearTimeout(late)
      resolve()
    })
    letIn()
  })
}
