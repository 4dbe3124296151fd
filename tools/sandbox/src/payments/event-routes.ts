import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listPage } from '../http/list.js'
import { commonShape, listShape } from '../http/params.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { StripeError } from '../http/stripe-error.js'
import { renderEvent } from './render-event.js'

const listParams = z.strictObject({
  ...commonShape,
  ...listShape,
  type: z.string().optional(),
  types: z.array(z.string()).max(20).optional(),
})

export function eventRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { state } = options.context
  serve(app, options, {
    method: 'GET',
    url: '/events',
    params: listParams,
    run: ({ params, account }) =>
      listPage(
        '/v1/events',
        state.events,
        params,
        each =>
          // The events of a seller's account are listed to a call on its behalf only.
          (each.account ?? null) === account &&
          (params.type === undefined || each.type === params.type) &&
          (params.types === undefined || params.types.includes(each.type)),
        each => renderEvent(each, state.pending.ofEvent(each.id)),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/events/:id',
    params: z.strictObject(commonShape),
    run: ({ id }) => {
      const event = state.events.get(id)
      if (!event) throw StripeError.missing('event', id)
      return renderEvent(event, state.pending.ofEvent(id))
    },
  })
}
