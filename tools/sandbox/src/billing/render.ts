import type { Context } from '../context.js'
import { seconds } from '../payments/render-time.js'
import { renderPrice } from './prices.js'
import type { InvoiceRecord, SubscriptionRecord } from './records.js'

/** The fields of a subscription that the product reads (docs.stripe.com/api/subscriptions/object). */
export function renderSubscription(context: Context, subscription: SubscriptionRecord) {
  const price = context.state.prices.get(subscription.priceId)
  const period = {
    current_period_start: seconds(subscription.periodStart),
    current_period_end: seconds(subscription.periodEnd),
  }
  return {
    id: subscription.id,
    object: 'subscription' as const,
    cancel_at: subscription.cancelAtPeriodEnd ? period.current_period_end : null,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: timeOf(subscription.canceledAt),
    collection_method: 'charge_automatically' as const,
    created: seconds(subscription.createdAt),
    currency: price?.currency ?? 'usd',
    customer: subscription.customerId,
    default_payment_method: subscription.methodId,
    description: subscription.description,
    ended_at: timeOf(subscription.endedAt),
    items: {
      object: 'list' as const,
      data: [
        {
          id: `si_${subscription.id.slice(4)}`,
          object: 'subscription_item' as const,
          ...period,
          created: seconds(subscription.createdAt),
          metadata: {},
          price: price && renderPrice(price),
          quantity: 1,
          subscription: subscription.id,
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${subscription.id}`,
    },
    latest_invoice: subscription.latestInvoiceId,
    livemode: false,
    metadata: { ...subscription.metadata },
    start_date: seconds(subscription.createdAt),
    status: subscription.status,
  }
}

/** The payment of an invoice; none for a draft. */
export const intentOf = ({ state }: Context, { intentId }: InvoiceRecord) =>
  intentId === null ? undefined : state.intents.get(intentId)

/** The fields of an invoice that the product reads (docs.stripe.com/api/invoices/object). */
export function renderInvoice(context: Context, invoice: InvoiceRecord) {
  const isPaid = invoice.status === 'paid'
  const intent = intentOf(context, invoice)
  return {
    id: invoice.id,
    object: 'invoice' as const,
    amount_due: invoice.amount,
    amount_paid: isPaid ? invoice.amount : 0,
    amount_remaining: isPaid ? 0 : invoice.amount,
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0,
    billing_reason: invoice.reason,
    collection_method: 'charge_automatically' as const,
    confirmation_secret: intent ? { client_secret: intent.clientSecret, type: 'payment_intent' } : null,
    created: seconds(invoice.createdAt),
    currency: invoice.currency,
    customer: invoice.customerId,
    description: null,
    lines: {
      object: 'list' as const,
      data: [
        {
          id: `il_${invoice.id.slice(3)}`,
          object: 'line_item' as const,
          amount: invoice.amount,
          currency: invoice.currency,
          description: invoice.description,
          period: { start: seconds(invoice.periodStart), end: seconds(invoice.periodEnd) },
          quantity: 1,
        },
      ],
      has_more: false,
      url: `/v1/invoices/${invoice.id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: timeOf(invoice.retryAt ?? invoice.finalizesAt),
    number: invoice.number,
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: invoice.subscriptionId },
      type: 'subscription_details' as const,
    },
    payments: {
      object: 'list' as const,
      data:
        invoice.intentId === null
          ? []
          : [
              {
                id: `inpay_${invoice.id.slice(3)}`,
                object: 'invoice_payment' as const,
                amount_paid: isPaid ? invoice.amount : null,
                amount_requested: invoice.amount,
                created: seconds(invoice.createdAt),
                currency: invoice.currency,
                invoice: invoice.id,
                is_default: true,
                livemode: false,
                payment: { type: 'payment_intent' as const, payment_intent: invoice.intentId },
                status: isPaid ? 'paid' : invoice.status === 'void' ? 'canceled' : 'open',
                status_transitions: { canceled_at: null, paid_at: timeOf(invoice.paidAt) },
              },
            ],
      has_more: false,
      url: `/v1/invoice_payments?invoice=${invoice.id}`,
    },
    period_start: seconds(invoice.periodStart),
    period_end: seconds(invoice.periodEnd),
    status: invoice.status,
    status_transitions: {
      finalized_at: invoice.status === 'draft' ? null : seconds(invoice.createdAt),
      marked_uncollectible_at: null,
      paid_at: timeOf(invoice.paidAt),
      voided_at: null,
    },
    subtotal: invoice.amount,
    total: invoice.amount,
  }
}

const timeOf = (at: number | null) => (at === null ? null : seconds(at))
