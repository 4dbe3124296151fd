import type Stripe from 'stripe'
import type { Context } from '../context.js'
import type { ChargeRecord, PaymentMethodRecord } from './records.js'
import { bankFacts, cardFacts, renderBilling } from './render-method.js'
import { seconds } from './render-time.js'

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
  if (method.type === 'customer_balance') return { type: 'customer_balance', customer_balance: {} }
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
