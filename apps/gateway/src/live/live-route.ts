import { liveRoutes } from '@holdfast/contracts/messages'
import type { FastifyInstance } from 'fastify'
import type { LiveEvents } from './live-events.js'

/** Registers `GET /api/events`. HEAD is left out: there is nothing of a stream to tell without opening it. */
export function registerLiveEvents(fastify: FastifyInstance, live: LiveEvents): void {
  const route = liveRoutes.getEvents
  fastify.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    config: { route },
    handler: (request, reply) => {
      const actor = request.caller?.actor
      if (actor?.kind !== 'user') throw new Error(`${route.path} was reached by nobody`)
      live.open(request, reply, actor)
    },
  })
}
