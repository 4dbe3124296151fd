import type Stripe from 'stripe'
import type { BillingDetails, PaymentMethodRecord } from './records.js'
import { seconds } from './render-time.js'
import { TEST_BANK_ACCOUNTS, TEST_CARDS, TEST_ROUTING_NUMBER } from './test-cards.js'

export function renderMethod(method: PaymentMethodRecord): Stripe.PaymentMethod {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: renderBilling(method.billing),
    created: seconds(method.createdAt),
    customer: method.customerId ?? null,
    customer_account: null,
    livemode: false,
    metadata: { ...method.metadata },
    type: method.type,
    ...renderInstrument(method),
  }
}

function renderInstrument(method: PaymentMethodRecord): Partial<Stripe.PaymentMethod> {
  if (method.type === 'crypto') return { crypto: {} }
  if (method.type === 'customer_balance') return { customer_balance: {} }
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

/** The fields of a card in methods and charges. */
export function cardFacts(method: PaymentMethodRecord) {
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

/** The fields of a bank account in methods and charges. */
export function bankFacts(method: PaymentMethodRecord) {
  return {
    bank_name: 'STRIPE TEST BANK',
    fingerprint: `sandbox_${method.instrument}`,
    last4: TEST_BANK_ACCOUNTS[method.instrument]?.accountNumber.slice(-4) ?? null,
    routing_number: TEST_ROUTING_NUMBER,
  }
}

export function renderBilling(billing: BillingDetails): Stripe.PaymentMethod.BillingDetails {
  return { ...billing, address: billing.address ? { ...billing.address } : null, tax_id: null }
}
