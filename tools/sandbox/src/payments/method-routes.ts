import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { commonShape } from '../http/params.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { createMethod, getMethod, methodDataShape } from './payment-methods.js'
import { renderMethod } from './render-method.js'

const createParams = z.strictObject({ ...commonShape, ...methodDataShape })

export function methodRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  serve(app, options, {
    method: 'POST',
    url: '/payment_methods',
    params: createParams,
    browser: true,
    run: ({ params }) => renderMethod(createMethod(options.context, params)),
  })
  serve(app, options, {
    method: 'GET',
    url: '/payment_methods/:id',
    params: z.strictObject(commonShape),
    run: ({ id }) => renderMethod(getMethod(options.context, id, 'id')),
  })
}
