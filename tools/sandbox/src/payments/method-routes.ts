import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listPage } from '../http/list.js'
import { choice, commonShape, listShape, text } from '../http/params.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { createMethod, getMethod, methodDataShape } from './payment-methods.js'
import { renderMethod } from './render-method.js'
import { attachMethod, detachMethod } from './saved-methods.js'

const createParams = z.strictObject({ ...commonShape, ...methodDataShape })
const attachParams = z.strictObject({ ...commonShape, customer: text(100) })
const listParams = z.strictObject({
  ...commonShape,
  ...listShape,
  customer: text(100),
  type: choice(['card']).optional(),
})

export function methodRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  serve(app, options, {
    method: 'POST',
    url: '/payment_methods',
    params: createParams,
    browser: true,
    run: ({ params }) => renderMethod(createMethod(context, params)),
  })
  serve(app, options, {
    method: 'GET',
    url: '/payment_methods',
    params: listParams,
    run: ({ params: { customer, type: _, ...params } }) => {
      const isOf = ({ customerId }: { readonly customerId?: string }) => customerId === customer
      return listPage('/v1/payment_methods', context.state.methods, params, isOf, renderMethod)
    },
  })
  serve(app, options, {
    method: 'GET',
    url: '/payment_methods/:id',
    params: z.strictObject(commonShape),
    run: ({ id }) => renderMethod(getMethod(context, id, 'id')),
  })
  serve(app, options, {
    method: 'POST',
    url: '/payment_methods/:id/attach',
    params: attachParams,
    run: ({ id, cause, params }) => renderMethod(attachMethod(context, cause, id, params.customer)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/payment_methods/:id/detach',
    params: z.strictObject(commonShape),
    run: ({ id, cause }) => renderMethod(detachMethod(context, cause, getMethod(context, id, 'id'))),
  })
}
