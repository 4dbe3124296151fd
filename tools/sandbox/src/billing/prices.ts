import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { z } from 'zod'
import { listPage } from '../http/list.js'
import { objectId } from '../http/object-ids.js'
import { boolean, choice, commonShape, integer, listShape, text } from '../http/params.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { StripeError } from '../http/stripe-error.js'
import { seconds } from '../payments/render-time.js'
import type { PriceRecord, ProductRecord } from './records.js'

const productParams = z.strictObject({ ...commonShape, id: text(100).optional(), name: text(250) })
const priceParams = z.strictObject({
  ...commonShape,
  product: text(100),
  unit_amount: integer,
  currency: text(3).transform(code => code.toLowerCase()),
  lookup_key: text(200).optional(),
  transfer_lookup_key: boolean.optional(),
  nickname: text(200).optional(),
  recurring: z.strictObject({ interval: choice(['month', 'year']) }),
})
const pricesParams = z.strictObject({
  ...commonShape,
  ...listShape,
  lookup_keys: z.array(z.string()).max(10).optional(),
  // The sandbox archives no price.
  active: boolean.optional(),
})

/** Routes for what is sold by subscription, and for its prices (docs.stripe.com/api/prices). */
export function priceRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  const { products, prices } = context.state
  serve(app, options, {
    method: 'POST',
    url: '/products',
    params: productParams,
    run: ({ params: { id = objectId('prod'), name } }) => {
      if (products.get(id))
        throw StripeError.invalid(`Product already exists.`, { code: 'resource_already_exists', param: 'id' })
      return renderProduct(products.put({ id, createdAt: context.now(), name }))
    },
  })
  serve(app, options, {
    method: 'POST',
    url: '/prices',
    params: priceParams,
    run: ({ params }) => {
      if (!products.get(params.product)) throw StripeError.missing('product', params.product, 'product')
      const lookupKey = params.lookup_key ?? null
      const holder = [...prices.oldestFirst()].find(each => lookupKey !== null && each.lookupKey === lookupKey)
      if (holder && !params.transfer_lookup_key)
        throw StripeError.invalid(`A price already uses the lookup key ${lookupKey}.`, { param: 'lookup_key' })
      if (holder) prices.put({ ...holder, lookupKey: null })
      const price: PriceRecord = {
        id: objectId('price'),
        createdAt: context.now(),
        productId: params.product,
        lookupKey,
        amount: params.unit_amount,
        currency: params.currency,
        interval: params.recurring.interval,
      }
      return renderPrice(prices.put(price))
    },
  })
  serve(app, options, {
    method: 'GET',
    url: '/prices',
    params: pricesParams,
    run: ({ params }) => {
      const keys = params.lookup_keys
      const isWanted = ({ lookupKey }: PriceRecord) => !keys || (lookupKey !== null && keys.includes(lookupKey))
      return listPage('/v1/prices', prices, params, isWanted, renderPrice)
    },
  })
}

const renderProduct = ({ id, createdAt, name }: ProductRecord) => ({
  id,
  object: 'product' as const,
  active: true,
  created: seconds(createdAt),
  livemode: false,
  metadata: {},
  name,
})

/** The fields of a price that the product reads. */
export const renderPrice = (price: PriceRecord) => ({
  id: price.id,
  object: 'price' as const,
  active: true,
  billing_scheme: 'per_unit' as const,
  created: seconds(price.createdAt),
  currency: price.currency,
  livemode: false,
  lookup_key: price.lookupKey,
  metadata: {},
  product: price.productId,
  recurring: {
    interval: price.interval,
    interval_count: 1,
    usage_type: 'licensed' as const,
  } satisfies Partial<Stripe.Price.Recurring>,
  type: 'recurring' as const,
  unit_amount: price.amount,
})
