import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { commonShape } from '../http/params.js'
import { type StripeDoor, serve } from '../http/stripe-endpoint.js'
import { createMethod, getMethod, methodDataShape } from './payment-methods.js'
import { renderMethod } from './render-method.js'

const createParams = z.strictObject({ ...commonShape, ...methodDataShape })

export function methodRoutes(app: FastifyInstance, door: StripeDoor): void {
  serve(app, door, {
    method: 'POST',
    url: '/payment_methods',
    params: createParams,
    browser: true,
    run: ({ params }) => renderMethod(createMethod(door.context, params)),
  })
  serve(app, door, {
    method: 'GET',
    url: '/payment_methods/:id',
    params: z.strictObject(commonShape),
    run: ({ id }) => renderMethod(getMethod(door.context, id, 'id')),
  })
}
