/** Saving a card without paying (docs.stripe.com/payments/save-and-reuse). */
import type { Cause, Context } from '../context.js'
import { objectId, randomName } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { getCustomer } from './customers.js'
import { recordEvent } from './events.js'
import { createMethod, getMethod, type MethodData } from './payment-methods.js'
import type { Metadata, PaymentFailure, PaymentMethodRecord, SetupIntentRecord } from './records.js'
import { renderSetupIntent } from './render-setup.js'
import { checkUsable, keepWith } from './saved-methods.js'
import { SETUP_AUTHENTICATION_FAILED, TEST_CARDS } from './test-cards.js'

/** @throws StripeError 404 */
export function getSetupIntent(context: Context, id: string): SetupIntentRecord {
  const setup = context.state.setups.get(id)
  if (!setup) throw StripeError.missing('setupintent', id, 'intent')
  return setup
}

export function createSetupIntent(
  context: Context,
  cause: Cause,
  wanted: { readonly customerId: string; readonly metadata: Metadata },
): SetupIntentRecord {
  const { id: customerId } = getCustomer(context, wanted.customerId)
  const id = objectId('seti')
  const setup = context.state.setups.put({
    id,
    createdAt: context.now(),
    customerId,
    metadata: wanted.metadata,
    clientSecret: `${id}_secret_${randomName(25)}`,
    status: 'requires_payment_method',
    methodId: null,
    lastError: null,
    action: null,
  })
  tell(context, cause, 'created', setup)
  return setup
}

/** Saves a card with the customer, after its bank has asked the holder where it wants to. @throws StripeError 400, 402 */
export function confirmSetupIntent(
  context: Context,
  cause: Cause,
  setup: SetupIntentRecord,
  given: {
    readonly methodId?: string | undefined
    readonly methodData?: MethodData | undefined
    readonly returnUrl?: string | undefined
    readonly viaSdk: boolean
  },
): SetupIntentRecord {
  if (setup.status === 'succeeded' || setup.status === 'canceled')
    throw StripeError.wrongState(
      `You cannot confirm this SetupIntent because it has a status of ${setup.status}.`,
      'setup_intent_unexpected_state',
    )
  const method = given.methodData
    ? createMethod(context, given.methodData)
    : given.methodId === undefined
      ? null
      : getMethod(context, given.methodId)
  if (!method) throw StripeError.invalid('Missing required param: payment_method.', { param: 'payment_method' })
  checkUsable(method, setup.customerId)
  const card = TEST_CARDS[method.instrument]
  const fresh = { ...setup, methodId: method.id, lastError: null, action: null }
  if (card?.behaviour.does === 'challenge') {
    const kind = given.viaSdk || !given.returnUrl ? 'sdk' : 'redirect'
    const action = { kind, returnUrl: given.returnUrl ?? null, token: randomName() } as const
    const asked = context.state.setups.put({ ...fresh, status: 'requires_action', action })
    tell(context, cause, 'requires_action', asked)
    return asked
  }
  if (card?.behaviour.does === 'decline' && !card.declinesOnlyPayments) {
    const failed = fail(context, cause, fresh, card.behaviour.failure)
    const { message, code, declineCode } = card.behaviour.failure
    throw StripeError.card(message, code, {
      ...(declineCode ? { decline_code: declineCode } : {}),
      setup_intent: renderSetupIntent(context, failed),
    })
  }
  return succeed(context, cause, fresh, method)
}

/** The holder has acted on their bank's page. */
export function completeSetupChallenge(
  context: Context,
  cause: Cause,
  setup: SetupIntentRecord,
  passed: boolean,
): SetupIntentRecord {
  const method = setup.methodId === null ? undefined : context.state.methods.get(setup.methodId)
  if (!method) throw new Error(`${setup.id} is under way but its payment method is gone`)
  const fresh = { ...setup, action: null }
  if (!passed) return fail(context, cause, fresh, SETUP_AUTHENTICATION_FAILED)
  const behaviour = TEST_CARDS[method.instrument]?.behaviour
  if (behaviour?.does === 'challenge' && behaviour.passed !== 'pay')
    return fail(context, cause, fresh, behaviour.passed)
  return succeed(context, cause, fresh, method)
}

function succeed(context: Context, cause: Cause, setup: SetupIntentRecord, method: PaymentMethodRecord) {
  if (method.customerId === undefined) keepWith(context, cause, method, setup.customerId)
  const done = context.state.setups.put({ ...setup, status: 'succeeded' })
  tell(context, cause, 'succeeded', done)
  return done
}

function fail(context: Context, cause: Cause, setup: SetupIntentRecord, why: PaymentFailure): SetupIntentRecord {
  const failed = context.state.setups.put({
    ...setup,
    status: 'requires_payment_method',
    methodId: null,
    lastError: why,
  })
  tell(context, cause, 'setup_failed', failed)
  return failed
}

function tell(
  context: Context,
  cause: Cause,
  what: 'created' | 'requires_action' | 'succeeded' | 'setup_failed',
  setup: SetupIntentRecord,
): void {
  recordEvent(context, cause, `setup_intent.${what}`, renderSetupIntent(context, setup), { subject: setup.id })
}
