import type { Context } from '../context.js'
import type { SetupIntentRecord } from './records.js'
import { seconds } from './render-time.js'

/** The fields of a setup intent that the product reads (docs.stripe.com/api/setup_intents/object). */
export function renderSetupIntent(context: Context, setup: SetupIntentRecord) {
  const error = setup.lastError
  return {
    id: setup.id,
    object: 'setup_intent' as const,
    client_secret: setup.clientSecret,
    created: seconds(setup.createdAt),
    customer: setup.customerId,
    last_setup_error: error && {
      code: error.code,
      ...(error.declineCode ? { decline_code: error.declineCode } : {}),
      message: error.message,
      type: 'card_error',
    },
    livemode: false,
    metadata: { ...setup.metadata },
    next_action: renderNextAction(context, setup),
    payment_method: setup.methodId,
    payment_method_types: ['card'],
    status: setup.status,
    usage: 'off_session' as const,
  }
}

/** The same without what only the merchant may see. */
export function renderPublicSetupIntent(context: Context, setup: SetupIntentRecord) {
  const { customer: _customer, metadata: _metadata, ...shown } = renderSetupIntent(context, setup)
  return shown
}

function renderNextAction(context: Context, { id, action }: SetupIntentRecord) {
  if (!action) return null
  const url = `${context.origin()}/challenge/${id}/${action.token}`
  if (action.kind === 'redirect')
    return { type: 'redirect_to_url', redirect_to_url: { url, return_url: action.returnUrl } }
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
}
