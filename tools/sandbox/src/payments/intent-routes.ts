import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sameText } from '../http/keys.js'
import { listPage } from '../http/list.js'
import { commonShape, listShape } from '../http/params.js'
import { searchPage, searchParams } from '../http/search.js'
import { type Call, type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { StripeError } from '../http/stripe-error.js'
import { cancelParams, confirmParams, createParams, updateParams } from './intent-params.js'
import { cancelIntent, confirmIntent, createIntent, getIntent, updateIntent } from './payment-intents.js'
import type { IntentRecord } from './records.js'
import { renderIntent, renderPublicIntent } from './render-intent.js'

const retrieveParams = z.strictObject({ ...commonShape, client_secret: z.string().optional() })
const listParams = z.strictObject({ ...commonShape, ...listShape })

export function intentRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  const find = (call: Call<{ client_secret?: string | undefined }>) => findFor(options, call)
  const show = (call: Call<unknown>, intent: IntentRecord) =>
    call.keyKind === 'secret' ? renderIntent(context, intent) : renderPublicIntent(context, intent)

  serve(app, options, {
    method: 'POST',
    url: '/payment_intents',
    params: createParams,
    run: ({ cause, params }) => renderIntent(context, createIntent(context, cause, params)),
  })
  serve(app, options, {
    method: 'GET',
    url: '/payment_intents',
    params: listParams,
    run: ({ params }) =>
      listPage(
        '/v1/payment_intents',
        context.state.intents,
        params,
        () => true,
        each => renderIntent(context, each),
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/payment_intents/search',
    params: searchParams,
    run: ({ params }) =>
      searchPage('/v1/payment_intents/search', context.state.intents, params, each => renderIntent(context, each)),
  })
  serve(app, options, {
    method: 'GET',
    url: '/payment_intents/:id',
    params: retrieveParams,
    browser: true,
    run: call => show(call, find(call)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/payment_intents/:id',
    params: updateParams,
    run: ({ id, params }) => renderIntent(context, updateIntent(context, getIntent(context, id), params)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/payment_intents/:id/confirm',
    params: confirmParams,
    browser: true,
    run: call => show(call, confirmIntent(context, call.cause, find(call), call.params)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/payment_intents/:id/cancel',
    params: cancelParams,
    run: ({ id, cause, params }) => renderIntent(context, cancelIntent(context, cause, getIntent(context, id), params)),
  })
}

/** With the publishable key, an intent is found only together with its client secret. */
function findFor(options: StripeApiOptions, call: Call<{ client_secret?: string | undefined }>): IntentRecord {
  const intent = getIntent(options.context, call.id)
  const secret = call.params.client_secret
  if (call.keyKind === 'secret' && secret === undefined) return intent
  if (secret === undefined) {
    throw StripeError.invalid('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    })
  }
  if (!sameText(secret, intent.clientSecret)) throw StripeError.missing('payment_intent', call.id, 'intent')
  return intent
}
