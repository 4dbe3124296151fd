import type Stripe from 'stripe'
import type { Context } from '../context.js'
import type {
  BalanceRecord,
  BillingDetails,
  ChargeRecord,
  DisputeRecord,
  EventRecord,
  IntentRecord,
  PaymentMethodRecord,
  RefundRecord,
} from './records.js'
import { TEST_BANK_ACCOUNTS, TEST_CARDS, TEST_ROUTING_NUMBER } from './test-cards.js'

/** The version of the provider's API whose forms these are; the SDK's own pin. */
export const API_VERSION = '2026-08-26.dahlia'

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

const seconds = (ms: number): number => Math.floor(ms / 1000)

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
    customer: null,
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

/** The same without what is the merchant's business. */
export function renderPublicIntent(context: Context, intent: IntentRecord): Partial<Stripe.PaymentIntent> {
  const whole = renderIntent(context, intent)
  return Object.fromEntries(PUBLIC_INTENT_FIELDS.map(field => [field, whole[field]]))
}

/** The page where the payer passes the bank's check or approves in a wallet. */
export function challengeUrl(context: Context, intent: IntentRecord): string | null {
  return intent.action ? `${context.origin()}/challenge/${intent.id}/${intent.action.token}` : null
}

function renderNextAction(context: Context, intent: IntentRecord): Stripe.PaymentIntent.NextAction | null {
  const url = challengeUrl(context, intent)
  if (!intent.action || !url) return null
  if (intent.action.kind === 'redirect') {
    return { type: 'redirect_to_url', redirect_to_url: { url, return_url: intent.action.returnUrl } }
  }
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
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

export function renderMethod(method: PaymentMethodRecord): Stripe.PaymentMethod {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: renderBilling(method.billing),
    created: seconds(method.createdAt),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: { ...method.metadata },
    type: method.type,
    ...renderInstrument(method),
  }
}

function renderInstrument(method: PaymentMethodRecord): Partial<Stripe.PaymentMethod> {
  if (method.type === 'crypto') return { crypto: {} }
  if (method.type === 'us_bank_account') {
    return {
      us_bank_account: {
        ...bankFacts(method),
        account_holder_type: 'individual',
        account_type: 'checking',
        financial_connections_account: null,
        networks: { preferred: 'ach', supported: ['ach'] },
        status_details: {},
      },
    }
  }
  return {
    card: {
      ...cardFacts(method),
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
      display_brand: cardFacts(method).brand,
      generated_from: null,
      networks: { available: [cardFacts(method).brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  }
}

function cardFacts(method: PaymentMethodRecord) {
  const card = TEST_CARDS[method.instrument]
  return {
    brand: card?.brand ?? 'unknown',
    country: 'US',
    exp_month: method.expMonth,
    exp_year: method.expYear,
    fingerprint: `sandbox_${method.instrument}`,
    funding: card?.funding ?? 'unknown',
    last4: card?.number.slice(-4) ?? '0000',
  }
}

function bankFacts(method: PaymentMethodRecord) {
  return {
    bank_name: 'STRIPE TEST BANK',
    fingerprint: `sandbox_${method.instrument}`,
    last4: TEST_BANK_ACCOUNTS[method.instrument]?.accountNumber.slice(-4) ?? null,
    routing_number: TEST_ROUTING_NUMBER,
  }
}

function renderBilling(billing: BillingDetails): Stripe.PaymentMethod.BillingDetails {
  return { ...billing, address: billing.address ? { ...billing.address } : null, tax_id: null }
}

export function renderCharge(context: Context, charge: ChargeRecord): Stripe.Charge {
  const method = context.state.methods.get(charge.methodId)
  const paid = charge.status === 'succeeded'
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: paid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: charge.balanceId,
    billing_details: method
      ? renderBilling(method.billing)
      : { name: null, email: null, phone: null, address: null, tax_id: null },
    calculated_statement_descriptor: 'HOLDFAST SANDBOX',
    captured: charge.status !== 'failed',
    created: seconds(charge.createdAt),
    currency: charge.currency,
    customer: null,
    description: charge.description,
    disputed: charge.disputed,
    failure_balance_transaction: null,
    failure_code: charge.failure?.code ?? null,
    failure_message: charge.failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...charge.metadata },
    on_behalf_of: null,
    outcome: renderOutcome(charge),
    paid,
    payment_intent: charge.intentId,
    payment_method: charge.methodId,
    payment_method_details: method ? renderChargeMethod(charge, method) : null,
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: paid && charge.amountRefunded === charge.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  }
}

function renderOutcome(charge: ChargeRecord): Stripe.Charge.Outcome | null {
  if (charge.status === 'pending') return null
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: charge.failure ? 'declined_by_network' : 'approved_by_network',
    reason: charge.failure?.declineCode ?? null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message: charge.failure ? 'The bank returned the decline code.' : 'Payment complete.',
    type: charge.failure ? 'issuer_declined' : 'authorized',
  }
}

function renderChargeMethod(charge: ChargeRecord, method: PaymentMethodRecord): Stripe.Charge.PaymentMethodDetails {
  if (method.type === 'crypto') return { type: 'crypto', crypto: {} }
  if (method.type === 'us_bank_account') {
    return {
      type: 'us_bank_account',
      us_bank_account: {
        ...bankFacts(method),
        account_holder_type: 'individual',
        account_type: 'checking',
        payment_reference: null,
      },
    }
  }
  return {
    type: 'card',
    card: {
      ...cardFacts(method),
      amount_authorized: charge.failure ? null : charge.amount,
      authorization_code: charge.failure ? null : '123456',
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: charge.failure?.code === 'incorrect_cvc' ? 'fail' : 'pass',
      },
      installments: null,
      mandate: null,
      network: cardFacts(method).brand,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

export function renderBalance(record: BalanceRecord, now: number): Stripe.BalanceTransaction {
  return {
    id: record.id,
    object: 'balance_transaction',
    amount: record.amount,
    available_on: seconds(record.availableAt),
    balance_type: 'payments',
    created: seconds(record.createdAt),
    currency: record.currency,
    description: record.description,
    exchange_rate: null,
    fee: record.fee,
    fee_details:
      record.fee === 0
        ? []
        : [
            {
              amount: record.fee,
              application: null,
              currency: record.currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: record.amount - record.fee,
    reporting_category: REPORTING[record.type],
    source: record.sourceId,
    status: record.availableAt <= now ? 'available' : 'pending',
    type: record.type,
  }
}

const REPORTING: Readonly<Record<BalanceRecord['type'], string>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_failure',
  adjustment: 'dispute',
}

export function renderRefund(refund: RefundRecord): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: refund.balanceId,
    charge: refund.chargeId,
    created: seconds(refund.createdAt),
    currency: refund.currency,
    customer: null,
    customer_account: null,
    ...(refund.failureReason ? { failure_reason: refund.failureReason } : {}),
    ...(refund.failureBalanceId ? { failure_balance_transaction: refund.failureBalanceId } : {}),
    metadata: { ...refund.metadata },
    payment_intent: refund.intentId,
    payment_method: null,
    ...(refund.status === 'pending' ? { pending_reason: 'processing' as const } : {}),
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  }
}

/** What the product reads of a dispute; evidence is no business of the sandbox. */
export function renderDispute(context: Context, dispute: DisputeRecord) {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: dispute.balanceIds.flatMap(id => {
      const record = context.state.balance.get(id)
      return record ? [renderBalance(record, context.now())] : []
    }),
    charge: dispute.chargeId,
    created: seconds(dispute.createdAt),
    currency: dispute.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: dispute.intentId,
    reason: 'fraudulent',
    status: dispute.status,
  } as const
}

/** An event as the provider writes it, both in answers and in the body of a webhook. */
export function renderEvent(event: EventRecord, pendingWebhooks: number) {
  return {
    id: event.id,
    object: 'event',
    api_version: API_VERSION,
    created: seconds(event.createdAt),
    data: { object: event.object, ...(event.previous ? { previous_attributes: event.previous } : {}) },
    livemode: false,
    pending_webhooks: pendingWebhooks,
    request: { id: event.requestId, idempotency_key: event.idempotencyKey },
    type: event.type,
  } as const
}
