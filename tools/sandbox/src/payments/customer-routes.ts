import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { endSubscription } from '../billing/invoices.js'
import type { Cause, Context } from '../context.js'
import { listPage } from '../http/list.js'
import { commonShape, listShape, metadata, text } from '../http/params.js'
import { searchPage, searchParams } from '../http/search.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { createCustomer, getCustomer } from './customers.js'
import { recordEvent } from './events.js'
import { mergeMetadata } from './payment-intents.js'
import type { CustomerRecord } from './records.js'
import { renderCash } from './render-money.js'
import { seconds } from './render-time.js'
import { attachedMethod, detachMethod } from './saved-methods.js'

const createParams = z.strictObject({
  ...commonShape,
  description: text(500).optional(),
  metadata: metadata.optional(),
})
const updateParams = z.strictObject({
  ...commonShape,
  email: text(512).or(z.literal('')).optional(),
  invoice_settings: z.strictObject({ default_payment_method: text(100).optional() }).optional(),
  metadata: metadata.optional(),
})
const listParams = z.strictObject({ ...commonShape, ...listShape })

/** Routes for payers: those who pay by bank transfer, with the money that the provider keeps for them, and those with saved cards. */
export function customerRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  serve(app, options, {
    method: 'POST',
    url: '/customers',
    params: createParams,
    run: ({ params }) => renderCustomer(createCustomer(context, mergeMetadata({}, params.metadata))),
  })
  serve(app, options, {
    method: 'GET',
    url: '/customers/search',
    params: searchParams,
    run: ({ params }) => searchPage('/v1/customers/search', context.state.customers, params, renderCustomer),
  })
  serve(app, options, {
    method: 'GET',
    url: '/customers/:id',
    params: z.strictObject(commonShape),
    run: ({ id }) =>
      context.state.customers.get(id)?.deleted ? renderDeleted(id) : renderCustomer(getCustomer(context, id)),
  })
  serve(app, options, {
    method: 'DELETE',
    url: '/customers/:id',
    params: z.strictObject(commonShape),
    run: ({ id, cause }) => {
      deleteCustomer(context, cause, getCustomer(context, id))
      return renderDeleted(id)
    },
  })
  serve(app, options, {
    method: 'POST',
    url: '/customers/:id',
    params: updateParams,
    run: ({ id, params }) => {
      const customer = getCustomer(context, id)
      const methodId = params.invoice_settings?.default_payment_method
      const changed = {
        ...customer,
        metadata: mergeMetadata(customer.metadata, params.metadata),
        // Stripe takes a value away when it is sent an empty one.
        ...(params.email !== undefined && { email: params.email || null }),
        ...(methodId !== undefined && { defaultMethodId: attachedMethod(context, methodId, id).id }),
      }
      return renderCustomer(context.state.customers.put(changed))
    },
  })
  serve(app, options, {
    method: 'GET',
    url: '/customers/:id/cash_balance_transactions',
    params: listParams,
    run: ({ id, params }) => {
      const { id: customerId } = getCustomer(context, id)
      const url = `/v1/customers/${customerId}/cash_balance_transactions`
      return listPage(url, context.state.cash, params, each => each.customerId === customerId, renderCash)
    },
  })
}

/** Deletes a customer for ever: their subscriptions end, and their saved methods can pay nothing any more. */
function deleteCustomer(context: Context, cause: Cause, customer: CustomerRecord): void {
  const { subscriptions, methods, customers } = context.state
  for (const each of [...subscriptions.oldestFirst()])
    if (each.customerId === customer.id && each.endedAt === null) endSubscription(context, cause, each, 'canceled')
  for (const each of [...methods.oldestFirst()]) if (each.customerId === customer.id) detachMethod(context, cause, each)
  // Without the default method, which is not saved any more.
  const { defaultMethodId: _, ...rest } = customer
  customers.put({ ...rest, deleted: true })
  recordEvent(context, cause, 'customer.deleted', renderCustomer(rest), { subject: customer.id })
}

const renderDeleted = (id: string) => ({ id, object: 'customer', deleted: true })

const renderCustomer = ({ id, createdAt, email, metadata, defaultMethodId }: CustomerRecord) => ({
  id,
  object: 'customer',
  email,
  created: seconds(createdAt),
  invoice_settings: { default_payment_method: defaultMethodId ?? null },
  livemode: false,
  metadata: { ...metadata },
})
