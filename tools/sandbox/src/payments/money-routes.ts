import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listPage } from '../http/list.js'
import { choice, commonShape, integer, listShape, metadata } from '../http/params.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { StripeError } from '../http/stripe-error.js'
import type { Collection } from '../state/collection.js'
import { mergeMetadata } from './payment-intents.js'
import { createCashRefund, createRefund, getRefund } from './refunds.js'
import { renderCharge } from './render-charge.js'
import { renderBalance, renderDispute, renderRefund } from './render-money.js'

const retrieveParams = z.strictObject(commonShape)
const chargeFilter = { charge: z.string().optional(), payment_intent: z.string().optional() }
const refundParams = z.strictObject({
  ...commonShape,
  ...chargeFilter,
  amount: integer.optional(),
  metadata: metadata.optional(),
  reason: choice(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  customer: z.string().optional(),
  currency: z.string().optional(),
  origin: choice(['customer_balance']).optional(),
})

/** Routes for charges, refunds, disputes and the merchant's balance. */
export function moneyRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  chargeRoutes(app, options)
  refundRoutes(app, options)
  disputeRoutes(app, options)
  balanceRoutes(app, options)
}

function chargeRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  const { charges } = context.state
  serve(app, options, {
    method: 'GET',
    url: '/charges',
    params: z.strictObject({ ...commonShape, ...listShape, payment_intent: z.string().optional() }),
    run: ({ params }) =>
      listPage(
        '/v1/charges',
        charges,
        params,
        each => params.payment_intent === undefined || each.intentId === params.payment_intent,
        each => renderCharge(context, each),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/charges/:id',
    params: retrieveParams,
    run: ({ id }) => renderCharge(context, get(charges, 'charge', id)),
  })
}

function refundRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  serve(app, options, {
    method: 'POST',
    url: '/refunds',
    params: refundParams,
    run: ({ cause, params }) => {
      const { charge: chargeId, payment_intent: intentId, amount, reason } = params
      if (params.origin) {
        const { customer: customerId, currency, metadata } = params
        if (customerId === undefined || amount === undefined || currency === undefined)
          throw StripeError.invalid('A refund of a customer balance needs customer, amount and currency.')
        return renderRefund(createCashRefund(context, cause, { customerId, amount, currency, metadata }))
      }
      return renderRefund(
        createRefund(context, cause, { chargeId, intentId, amount, reason, metadata: params.metadata }),
      )
    },
  })
  serve(app, options, {
    method: 'GET',
    url: '/refunds',
    params: z.strictObject({ ...commonShape, ...listShape, ...chargeFilter }),
    run: ({ params }) =>
      listPage(
        '/v1/refunds',
        context.state.refunds,
        params,
        each =>
          (params.charge === undefined || each.chargeId === params.charge) &&
          (params.payment_intent === undefined || each.intentId === params.payment_intent),
        renderRefund,
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/refunds/:id',
    params: retrieveParams,
    run: ({ id }) => renderRefund(getRefund(context, id)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/refunds/:id',
    params: z.strictObject({ ...commonShape, metadata: metadata.optional() }),
    run: ({ id, params }) => {
      const refund = getRefund(context, id)
      return renderRefund(
        context.state.refunds.put({ ...refund, metadata: mergeMetadata(refund.metadata, params.metadata) }),
      )
    },
  })
}

function disputeRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  const { disputes } = context.state
  serve(app, options, {
    method: 'GET',
    url: '/disputes',
    params: z.strictObject({ ...commonShape, ...listShape, ...chargeFilter }),
    run: ({ params }) =>
      listPage(
        '/v1/disputes',
        disputes,
        params,
        each =>
          (params.charge === undefined || each.chargeId === params.charge) &&
          (params.payment_intent === undefined || each.intentId === params.payment_intent),
        each => renderDispute(context, each),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/disputes/:id',
    params: retrieveParams,
    run: ({ id }) => renderDispute(context, get(disputes, 'dispute', id)),
  })
}

function balanceRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  const { balance } = context.state
  serve(app, options, {
    method: 'GET',
    url: '/balance_transactions',
    params: z.strictObject({
      ...commonShape,
      ...listShape,
      source: z.string().optional(),
      type: z.string().optional(),
      currency: z.string().optional(),
    }),
    run: ({ params }) =>
      listPage(
        '/v1/balance_transactions',
        balance,
        params,
        each =>
          (params.source === undefined || each.sourceId === params.source) &&
          (params.type === undefined || each.type === params.type) &&
          (params.currency === undefined || each.currency === params.currency),
        each => renderBalance(each, context.now()),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/balance_transactions/:id',
    params: retrieveParams,
    run: ({ id }) => renderBalance(get(balance, 'balance transaction', id), context.now()),
  })
}

function get<T extends { readonly id: string }>(collection: Collection<T>, kind: string, id: string): T {
  const record = collection.get(id)
  if (!record) throw StripeError.missing(kind, id)
  return record
}
