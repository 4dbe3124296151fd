import type { Cause, Context } from '../context.js'
import { objectId, randomName } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { checkAmount } from './amounts.js'
import { attempt } from './attempts.js'
import { giveBack } from './bank-transfers.js'
import { getCustomer } from './customers.js'
import { tellIntent } from './events.js'
import type { CancelParams, ConfirmParams, CreateParams, UpdateParams } from './intent-params.js'
import { addressOf, createMethod, getMethod } from './payment-methods.js'
import type { IntentRecord, IntentStatus, Metadata, MethodType, PaymentMethodRecord } from './records.js'
import { renderIntent } from './render-intent.js'
import { checkUsable } from './saved-methods.js'

const OPEN: readonly IntentStatus[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** @throws StripeError 404 */
export function getIntent(context: Context, id: string, param = 'intent'): IntentRecord {
  const intent = context.state.intents.get(id)
  if (!intent) throw StripeError.missing('payment_intent', id, param)
  return intent
}

/** @throws StripeError 400 for an amount, currency or method that is not allowed; 402 when confirmed at once and declined */
export function createIntent(context: Context, cause: Cause, params: CreateParams): IntentRecord {
  checkAmount(params.amount, params.currency)
  if (params.payment_method_types && params.automatic_payment_methods?.enabled) {
    throw StripeError.invalid(
      'You may only specify one of these parameters: automatic_payment_methods, payment_method_types.',
    )
  }
  const automatic = !params.payment_method_types && params.automatic_payment_methods?.enabled !== false
  const id = objectId('pi')
  const intent: IntentRecord = {
    id,
    createdAt: context.now(),
    amount: params.amount,
    currency: params.currency,
    status: 'requires_payment_method',
    clientSecret: `${id}_secret_${randomName(25)}`,
    methodTypes: params.payment_method_types ?? (automatic ? ['card', 'us_bank_account', 'crypto'] : ['card']),
    automaticMethods: automatic ? (params.automatic_payment_methods?.allow_redirects ?? 'always') : null,
    captureMethod: params.capture_method ?? 'automatic_async',
    confirmationMethod: params.confirmation_method ?? 'automatic',
    description: params.description || null,
    metadata: mergeMetadata({}, params.metadata),
    receiptEmail: params.receipt_email || null,
    statementDescriptor: params.statement_descriptor || null,
    statementDescriptorSuffix: params.statement_descriptor_suffix || null,
    transferGroup: params.transfer_group || null,
    setupFutureUsage: params.setup_future_usage || null,
    shipping: shippingOf(params.shipping),
    methodId: null,
    chargeId: null,
    lastError: null,
    action: null,
    canceledAt: null,
    cancellationReason: null,
    settlesAt: null,
    ...(params.customer !== undefined && { customerId: getCustomer(context, params.customer).id }),
  }
  const method = chooseMethod(context, intent, params)
  if (params.confirm) checkConfirmable(intent, method, params)
  const created = context.state.intents.put(method ? withMethod(intent, method) : intent)
  tellIntent(context, cause, 'payment_intent.created', created)
  return params.confirm && method ? confirmWith(context, cause, created, method, params) : created
}

/** @throws StripeError 400 when the intent can no longer change */
export function updateIntent(context: Context, intent: IntentRecord, params: UpdateParams): IntentRecord {
  const changesTerms =
    params.amount !== undefined ||
    params.currency !== undefined ||
    params.payment_method !== undefined ||
    params.payment_method_data !== undefined ||
    params.payment_method_types !== undefined
  if (changesTerms && !OPEN.includes(intent.status)) throw wrongState(context, intent, 'update')
  const amount = params.amount ?? intent.amount
  const currency = params.currency ?? intent.currency
  checkAmount(amount, currency)
  const next: IntentRecord = {
    ...intent,
    amount,
    currency,
    methodTypes: params.payment_method_types ?? intent.methodTypes,
    description: params.description === undefined ? intent.description : params.description || null,
    metadata: mergeMetadata(intent.metadata, params.metadata),
    receiptEmail: params.receipt_email === undefined ? intent.receiptEmail : params.receipt_email || null,
    shipping: params.shipping === undefined ? intent.shipping : shippingOf(params.shipping),
    transferGroup: params.transfer_group === undefined ? intent.transferGroup : params.transfer_group || null,
    ...(params.customer !== undefined && { customerId: getCustomer(context, params.customer).id }),
  }
  const method = chooseMethod(context, next, params)
  return context.state.intents.put(method ? withMethod(next, method) : next)
}

/**
 * Pays with the method given, or the one the intent already has.
 *
 * @throws StripeError 400 when the intent can no longer be paid or has no method; 402 when the card is declined
 */
export function confirmIntent(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  params: ConfirmParams,
): IntentRecord {
  if (!OPEN.includes(intent.status)) throw wrongState(context, intent, 'confirm')
  const next: IntentRecord = {
    ...intent,
    methodTypes: params.payment_method_types ?? intent.methodTypes,
    receiptEmail: params.receipt_email || intent.receiptEmail,
    shipping: params.shipping === undefined ? intent.shipping : shippingOf(params.shipping),
  }
  const method = chooseMethod(context, next, params) ?? currentMethod(context, intent)
  checkConfirmable(intent, method, params)
  return confirmWith(context, cause, next, method, params)
}

/** @throws StripeError 400 when a payment is processing or has succeeded */
export function cancelIntent(context: Context, cause: Cause, intent: IntentRecord, params: CancelParams): IntentRecord {
  if (!OPEN.includes(intent.status)) throw wrongState(context, intent, 'cancel')
  const canceled = context.state.intents.put({
    ...intent,
    status: 'canceled',
    action: null,
    canceledAt: context.now(),
    cancellationReason: params.cancellation_reason ?? null,
  })
  tellIntent(context, cause, 'payment_intent.canceled', canceled)
  return giveBack(context, cause, canceled)
}

/** An empty value removes its key, an empty parameter removes all keys. */
export function mergeMetadata(known: Metadata, change: Record<string, string> | '' | undefined): Metadata {
  if (change === undefined) return known
  if (change === '') return {}
  return Object.fromEntries(Object.entries({ ...known, ...change }).filter(([, value]) => value !== ''))
}

function confirmWith(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  method: PaymentMethodRecord,
  params: ConfirmParams,
): IntentRecord {
  const redirect = {
    kind: params.use_stripe_sdk || !params.return_url ? 'sdk' : 'redirect',
    returnUrl: params.return_url ?? null,
  } as const
  const result = attempt(context, cause, intent, method, redirect)
  if (result.lastError) throw declined(context, result)
  return result
}

/** The error of a declined payment. The intent again accepts another method. */
function declined(context: Context, intent: IntentRecord): StripeError {
  const { last_payment_error: error, ...rest } = renderIntent(context, intent)
  return StripeError.card(error?.message ?? '', error?.code ?? 'card_declined', {
    ...(error?.charge ? { charge: error.charge } : {}),
    ...(error?.decline_code ? { decline_code: error.decline_code } : {}),
    ...(error?.payment_method ? { payment_method: error.payment_method } : {}),
    payment_intent: { ...rest, last_payment_error: error },
  })
}

function checkConfirmable(
  intent: IntentRecord,
  method: PaymentMethodRecord | null,
  params: ConfirmParams,
): asserts method is PaymentMethodRecord {
  if (method?.type === 'customer_balance' && intent.customerId === undefined) {
    throw StripeError.invalid('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  if (!method) {
    throw StripeError.wrongState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      'payment_intent_unexpected_state',
    )
  }
  if (intent.automaticMethods === 'always' && !params.return_url && !params.use_stripe_sdk) {
    throw StripeError.invalid(
      'This PaymentIntent is configured to accept payment methods that might redirect your customer off of your page. You must provide a `return_url`, or create it with `automatic_payment_methods[allow_redirects]` set to `never` or with explicit `payment_method_types`.',
      { param: 'return_url' },
    )
  }
}

function chooseMethod(
  context: Context,
  intent: IntentRecord,
  params: Pick<ConfirmParams, 'payment_method' | 'payment_method_data'>,
): PaymentMethodRecord | null {
  if (params.payment_method !== undefined && params.payment_method_data !== undefined) {
    throw StripeError.invalid('You may only specify one of these parameters: payment_method, payment_method_data.')
  }
  if (params.payment_method_data) {
    checkType(intent, params.payment_method_data.type)
    return createMethod(context, params.payment_method_data)
  }
  if (params.payment_method === undefined) return null
  const method = getMethod(context, params.payment_method)
  checkType(intent, method.type)
  checkUsable(method, intent.customerId)
  return method
}

function checkType(intent: IntentRecord, type: MethodType): void {
  if (intent.methodTypes.includes(type)) return
  throw StripeError.invalid(
    `The PaymentMethod provided (${type}) is not allowed for this PaymentIntent. Please attach a payment method of one of the following types: ${intent.methodTypes.join(', ')}.`,
    { code: 'payment_intent_incompatible_payment_method', param: 'payment_method' },
  )
}

function withMethod(intent: IntentRecord, method: PaymentMethodRecord): IntentRecord {
  return { ...intent, methodId: method.id, status: 'requires_confirmation', action: null, lastError: null }
}

function currentMethod(context: Context, intent: IntentRecord): PaymentMethodRecord | null {
  return intent.methodId === null ? null : (context.state.methods.get(intent.methodId) ?? null)
}

function wrongState(context: Context, intent: IntentRecord, wanted: 'update' | 'confirm' | 'cancel'): StripeError {
  const message =
    wanted === 'confirm' && intent.status === 'succeeded'
      ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
      : `You cannot ${wanted} this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be ${PAST[wanted]}: ${OPEN.join(', ')}.`
  return StripeError.wrongState(message, 'payment_intent_unexpected_state', {
    payment_intent: renderIntent(context, intent),
  })
}

const PAST = { update: 'updated', confirm: 'confirmed', cancel: 'canceled' } as const

function shippingOf(shipping: CreateParams['shipping']): IntentRecord['shipping'] {
  if (!shipping) return null
  return {
    name: shipping.name,
    phone: shipping.phone ?? null,
    carrier: shipping.carrier ?? null,
    trackingNumber: shipping.tracking_number ?? null,
    address: addressOf(shipping.address),
  }
}
