import type Stripe from 'stripe'
import type { Context } from '../context.js'
import { isByTransfer } from './payer.js'
import type { IntentRecord } from './records.js'
import { renderMethod } from './render-method.js'
import { seconds } from './render-time.js'

/** What a caller with the publishable key may see of an intent (docs.stripe.com/api/payment_intents/retrieve). */
const PUBLIC_INTENT_FIELDS = [
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[]

export function renderIntent(context: Context, intent: IntentRecord): Stripe.PaymentIntent {
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: intent.automaticMethods
      ? { enabled: true, allow_redirects: intent.automaticMethods }
      : null,
    canceled_at: intent.canceledAt === null ? null : seconds(intent.canceledAt),
    cancellation_reason: intent.cancellationReason,
    capture_method: intent.captureMethod,
    client_secret: intent.clientSecret,
    confirmation_method: intent.confirmationMethod,
    created: seconds(intent.createdAt),
    currency: intent.currency,
    customer: intent.customerId ?? null,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: renderLastError(context, intent),
    latest_charge: intent.chargeId,
    livemode: false,
    managed_payments: null,
    metadata: { ...intent.metadata },
    next_action: renderNextAction(context, intent),
    on_behalf_of: null,
    payment_method: intent.methodId,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [...intent.methodTypes],
    processing: null,
    receipt_email: intent.receiptEmail,
    review: null,
    setup_future_usage: intent.setupFutureUsage,
    shipping: renderShipping(intent),
    source: null,
    statement_descriptor: intent.statementDescriptor,
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    status: intent.status,
    transfer_data: null,
    transfer_group: intent.transferGroup,
  }
}

/** The same without the fields that only the merchant may see. */
export function renderPublicIntent(context: Context, intent: IntentRecord): Partial<Stripe.PaymentIntent> {
  const whole = renderIntent(context, intent)
  return Object.fromEntries(PUBLIC_INTENT_FIELDS.map(field => [field, whole[field]]))
}

/** The page where the payer passes the bank's check or approves in a wallet. */
export function challengeUrl(context: Context, intent: IntentRecord): string | null {
  return intent.action ? `${context.origin()}/challenge/${intent.id}/${intent.action.token}` : null
}

function renderNextAction(context: Context, intent: IntentRecord): Stripe.PaymentIntent.NextAction | null {
  if (intent.customerId !== undefined && isByTransfer(intent) && intent.status === 'requires_action')
    return transferInstructions(context, intent, intent.customerId)
  const url = challengeUrl(context, intent)
  if (!intent.action || !url) return null
  if (intent.action.kind === 'redirect') {
    return { type: 'redirect_to_url', redirect_to_url: { url, return_url: intent.action.returnUrl } }
  }
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
}

/** The bank details to which the payer transfers what is missing (docs.stripe.com/payments/bank-transfers/accept-a-payment). */
function transferInstructions(
  context: Context,
  intent: IntentRecord,
  customerId: string,
): Stripe.PaymentIntent.NextAction | null {
  const customer = context.state.customers.get(customerId)
  if (!customer) return null
  const address = {
    city: 'San Francisco',
    country: 'US',
    line1: '510 Townsend St',
    line2: null,
    postal_code: '94103',
    state: 'CA',
  }
  return {
    type: 'display_bank_transfer_instructions',
    display_bank_transfer_instructions: {
      amount_remaining: intent.amount - (intent.funded ?? 0),
      currency: intent.currency,
      financial_addresses: [
        {
          type: 'aba',
          supported_networks: ['ach', 'domestic_wire_us'],
          aba: {
            account_holder_address: address,
            account_holder_name: 'Holdfast Sandbox',
            account_number: customer.accountNumber,
            account_type: 'checking',
            bank_address: address,
            bank_name: 'STRIPE TEST BANK',
            routing_number: '110000000',
          },
        },
      ],
      hosted_instructions_url: null,
      reference: customer.reference,
      type: 'us_bank_transfer',
    },
  }
}

function renderLastError(context: Context, intent: IntentRecord): Stripe.PaymentIntent.LastPaymentError | null {
  const error = intent.lastError
  if (!error) return null
  const method = context.state.methods.get(error.methodId)
  return {
    ...(error.chargeId ? { charge: error.chargeId } : {}),
    code: error.code as Stripe.PaymentIntent.LastPaymentError.Code,
    ...(error.declineCode ? { decline_code: error.declineCode } : {}),
    doc_url: `https://docs.stripe.com/error-codes/${error.code.replaceAll('_', '-')}`,
    message: error.message,
    ...(method ? { payment_method: renderMethod(method) } : {}),
    type: error.chargeId ? 'card_error' : 'invalid_request_error',
  }
}

function renderShipping({ shipping }: IntentRecord): Stripe.PaymentIntent.Shipping | null {
  if (!shipping) return null
  const { name, phone, carrier, trackingNumber, address } = shipping
  return { name, phone, carrier, tracking_number: trackingNumber, address: { ...address } }
}
