import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sameText } from '../http/keys.js'
import { boolean, choice, commonShape, metadata, text } from '../http/params.js'
import { type Call, type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { StripeError } from '../http/stripe-error.js'
import { mergeMetadata } from './payment-intents.js'
import { methodDataShape } from './payment-methods.js'
import type { SetupIntentRecord } from './records.js'
import { renderPublicSetupIntent, renderSetupIntent } from './render-setup.js'
import { confirmSetupIntent, createSetupIntent, getSetupIntent } from './setup-intents.js'

const createParams = z.strictObject({
  ...commonShape,
  customer: text(100),
  payment_method_types: z.array(choice(['card'])).optional(),
  usage: choice(['off_session', 'on_session']).optional(),
  metadata: metadata.optional(),
})
const readParams = z.strictObject({ ...commonShape, client_secret: z.string().optional() })
const confirmParams = z.strictObject({
  ...commonShape,
  client_secret: z.string().optional(),
  payment_method: text(100).optional(),
  payment_method_data: z.strictObject(methodDataShape).optional(),
  return_url: z
    .url({ protocol: /^https?$/ })
    .max(5_000)
    .optional(),
  use_stripe_sdk: boolean.optional(),
  mandate_data: z.unknown().optional(),
})

export function setupRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  const show = (call: Call<unknown>, setup: SetupIntentRecord) =>
    call.keyKind === 'secret' ? renderSetupIntent(context, setup) : renderPublicSetupIntent(context, setup)
  serve(app, options, {
    method: 'POST',
    url: '/setup_intents',
    params: createParams,
    run: ({ cause, params }) => {
      const wanted = { customerId: params.customer, metadata: mergeMetadata({}, params.metadata) }
      return renderSetupIntent(context, createSetupIntent(context, cause, wanted))
    },
  })
  serve(app, options, {
    method: 'GET',
    url: '/setup_intents/:id',
    params: readParams,
    browser: true,
    run: call => show(call, findFor(options, call)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/setup_intents/:id/confirm',
    params: confirmParams,
    browser: true,
    run: call => {
      const { payment_method: methodId, payment_method_data: methodData, return_url: returnUrl } = call.params
      const given = { methodId, methodData, returnUrl, viaSdk: call.params.use_stripe_sdk ?? false }
      return show(call, confirmSetupIntent(context, call.cause, findFor(options, call), given))
    },
  })
}

/** With the publishable key, a setup intent is found only together with its client secret. */
function findFor(options: StripeApiOptions, call: Call<{ client_secret?: string | undefined }>): SetupIntentRecord {
  const setup = getSetupIntent(options.context, call.id)
  const secret = call.params.client_secret
  if (call.keyKind === 'secret' && secret === undefined) return setup
  if (secret === undefined)
    throw StripeError.invalid('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    })
  if (!sameText(secret, setup.clientSecret)) throw StripeError.missing('setupintent', call.id, 'intent')
  return setup
}
