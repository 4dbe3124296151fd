import { liveRoutes } from '@holdfast/contracts/messages'
import type { FastifyInstance } from 'fastify'
import type { LiveEvents } from './live-events.js'

/** Registers `GET /api/events`. HEAD is left out, since it would open a stream. */
export function registerLiveEvents(fastify: FastifyInstance, live: LiveEvents): void {
  const route = liveRoutes.getEvents
  fastify.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    config: { route },
    handler: (request, reply) => {
      const actor = request.caller?.actor
      if (actor?.kind !== 'user') throw new Error(`${route.path} was called without a user`)
      live.open(request, reply, actor)
    },
  })
}
