import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listPage } from '../http/list.js'
import { boolean, choice, commonShape, integer, listShape, metadata, text } from '../http/params.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { mergeMetadata } from '../payments/payment-intents.js'
import { getInvoice, voidInvoice } from './invoices.js'
import { priceRoutes } from './prices.js'
import { renderInvoice, renderSubscription } from './render.js'
import { cancelSubscription, createSubscription, getSubscription, updateSubscription } from './subscriptions.js'

const ignored = z.unknown().optional()

const createParams = z.strictObject({
  ...commonShape,
  customer: text(100),
  items: z.array(z.strictObject({ price: text(100), quantity: integer.optional() })).length(1),
  description: text(500).optional(),
  metadata: metadata.optional(),
  payment_behavior: choice(['default_incomplete']),
  payment_settings: ignored,
  billing_mode: ignored,
})
const updateParams = z.strictObject({
  ...commonShape,
  cancel_at_period_end: boolean.optional(),
  default_payment_method: text(100).optional(),
})
const listSubscriptions = z.strictObject({
  ...commonShape,
  ...listShape,
  customer: text(100).optional(),
  status: choice(['all', 'active', 'past_due', 'canceled', 'incomplete', 'incomplete_expired']).optional(),
})
const listInvoices = z.strictObject({
  ...commonShape,
  ...listShape,
  customer: text(100).optional(),
  subscription: text(100).optional(),
})
const none = z.strictObject(commonShape)

/** Routes for subscriptions and their invoices (docs.stripe.com/api/subscriptions). */
export function billingRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  const { subscriptions, invoices } = context.state
  priceRoutes(app, options)
  serve(app, options, {
    method: 'POST',
    url: '/subscriptions',
    params: createParams,
    run: ({ cause, params }) =>
      renderSubscription(
        context,
        createSubscription(context, cause, {
          customerId: params.customer,
          priceId: params.items[0]!.price,
          description: params.description ?? null,
          metadata: mergeMetadata({}, params.metadata),
        }),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/subscriptions',
    params: listSubscriptions,
    run: ({ params: { customer, status, ...params } }) =>
      listPage(
        '/v1/subscriptions',
        subscriptions,
        params,
        each =>
          (customer === undefined || each.customerId === customer) &&
          (status === 'all' || (status === undefined ? each.endedAt === null : each.status === status)),
        each => renderSubscription(context, each),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/subscriptions/:id',
    params: none,
    run: ({ id }) => renderSubscription(context, getSubscription(context, id)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/subscriptions/:id',
    params: updateParams,
    run: ({ id, cause, params }) => {
      const { cancel_at_period_end: cancelAtPeriodEnd, default_payment_method: methodId } = params
      const subscription = getSubscription(context, id)
      return renderSubscription(
        context,
        updateSubscription(context, cause, subscription, { cancelAtPeriodEnd, methodId }),
      )
    },
  })
  serve(app, options, {
    method: 'DELETE',
    url: '/subscriptions/:id',
    params: none,
    run: ({ id, cause }) =>
      renderSubscription(context, cancelSubscription(context, cause, getSubscription(context, id))),
  })
  serve(app, options, {
    method: 'GET',
    url: '/invoices',
    params: listInvoices,
    run: ({ params: { customer, subscription, ...params } }) =>
      listPage(
        '/v1/invoices',
        invoices,
        params,
        each =>
          (customer === undefined || each.customerId === customer) &&
          (subscription === undefined || each.subscriptionId === subscription),
        each => renderInvoice(context, each),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/invoices/:id',
    params: none,
    run: ({ id }) => renderInvoice(context, getInvoice(context, id)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/invoices/:id/void',
    params: none,
    run: ({ id, cause }) => renderInvoice(context, voidInvoice(context, cause, getInvoice(context, id))),
  })
}
