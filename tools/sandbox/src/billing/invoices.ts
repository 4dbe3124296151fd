import type { Cause, Context } from '../context.js'
import { objectId, randomName } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { payOffSession } from '../payments/attempts.js'
import { recordEvent } from '../payments/events.js'
import { cancelIntent, createIntent } from '../payments/payment-intents.js'
import type { IntentRecord } from '../payments/records.js'
import type { InvoiceRecord, SubscriptionRecord } from './records.js'
import { renderInvoice, renderSubscription } from './render.js'

/** After a card was declined it is charged again so many days later, so often; then the subscription ends. */
const RETRY_AFTER_DAYS = 3
const MAX_ATTEMPTS = 4
const NUMBER_LENGTH = 8

export function tellInvoice(context: Context, cause: Cause, type: `invoice.${string}`, invoice: InvoiceRecord): void {
  recordEvent(context, cause, type, renderInvoice(context, invoice), { subject: invoice.subscriptionId })
}

export function tellSubscription(
  context: Context,
  cause: Cause,
  type: 'created' | 'updated' | 'deleted',
  subscription: SubscriptionRecord,
): void {
  const object = renderSubscription(context, subscription)
  recordEvent(context, cause, `customer.subscription.${type}`, object, { subject: subscription.id })
}

/** @throws StripeError 404 */
export function getInvoice(context: Context, id: string): InvoiceRecord {
  const invoice = context.state.invoices.get(id)
  if (!invoice) throw StripeError.missing('invoice', id, 'invoice')
  return invoice
}

/** Bills a period of a subscription. The invoice is final at once, and waits to be paid. */
export function bill(
  context: Context,
  cause: Cause,
  subscription: Pick<SubscriptionRecord, 'id' | 'customerId' | 'priceId' | 'periodStart' | 'periodEnd'>,
  reason: InvoiceRecord['reason'],
): InvoiceRecord {
  const price = context.state.prices.get(subscription.priceId)
  if (!price) throw StripeError.missing('price', subscription.priceId, 'price')
  const { amount, currency } = price
  const product = context.state.products.get(price.productId)?.name ?? price.productId
  const id = objectId('in')
  const intent = createIntent(context, cause, {
    amount,
    currency,
    customer: subscription.customerId,
    description: reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    payment_method_types: ['card'],
    setup_future_usage: 'off_session',
  })
  context.state.intents.put({ ...intent, invoiceId: id })
  const invoice = context.state.invoices.put({
    id,
    createdAt: context.now(),
    number: `${randomName(NUMBER_LENGTH).toUpperCase()}-0001`,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    reason,
    amount,
    currency,
    status: 'open',
    intentId: intent.id,
    description: `1 × ${product} (at $${(amount / 100).toFixed(2)} / ${price.interval})`,
    periodStart: subscription.periodStart,
    periodEnd: subscription.periodEnd,
    attempts: 0,
    paidAt: null,
    retryAt: null,
  })
  tellInvoice(context, cause, 'invoice.created', invoice)
  tellInvoice(context, cause, 'invoice.finalized', invoice)
  return invoice
}

/** Charges the subscription's card for an open invoice, without its holder. */
export function collect(context: Context, cause: Cause, invoice: InvoiceRecord): void {
  const { state } = context
  const intent = state.intents.get(invoice.intentId)
  const subscription = state.subscriptions.get(invoice.subscriptionId)
  if (!intent || !subscription) throw new Error(`${invoice.id} is open but its subscription or payment is gone`)
  const methodId = subscription.methodId ?? state.customers.get(invoice.customerId)?.defaultMethodId
  const method = methodId ? state.methods.get(methodId) : undefined
  state.invoices.put({ ...invoice, retryAt: null })
  if (method) payOffSession(context, cause, intent, method, subscription.fails)
  else invoiceFailed(context, cause, intent)
}

/** The payment of an invoice has succeeded: its period is paid. The card pays the next ones, too. */
export function invoicePaid(context: Context, cause: Cause, intent: IntentRecord): void {
  const invoice = openInvoiceOf(context, intent)
  if (!invoice) return
  const paid = context.state.invoices.put({
    ...invoice,
    status: 'paid',
    attempts: invoice.attempts + 1,
    paidAt: context.now(),
    retryAt: null,
  })
  tellInvoice(context, cause, 'invoice.paid', paid)
  tellInvoice(context, cause, 'invoice.payment_succeeded', paid)
  const subscription = context.state.subscriptions.get(invoice.subscriptionId)
  if (!subscription || subscription.endedAt !== null) return
  const active = context.state.subscriptions.put({ ...subscription, status: 'active', methodId: intent.methodId })
  tellSubscription(context, cause, 'updated', active)
}

/** The payment of an invoice was declined. The first one waits for another card; a later one is tried again some days later. */
export function invoiceFailed(context: Context, cause: Cause, intent: IntentRecord): void {
  const invoice = openInvoiceOf(context, intent)
  if (!invoice) return
  const attempts = invoice.attempts + 1
  const isCycle = invoice.reason === 'subscription_cycle'
  const retryAt = context.now() + RETRY_AFTER_DAYS * context.config.daySeconds * 1000
  const failed = context.state.invoices.put({
    ...invoice,
    attempts,
    retryAt: isCycle && attempts < MAX_ATTEMPTS ? retryAt : null,
  })
  tellInvoice(context, cause, 'invoice.payment_failed', failed)
  const subscription = context.state.subscriptions.get(invoice.subscriptionId)
  if (!isCycle || !subscription || subscription.endedAt !== null) return
  if (attempts >= MAX_ATTEMPTS) endSubscription(context, cause, subscription, 'canceled')
  else if (subscription.status !== 'past_due')
    tellSubscription(
      context,
      cause,
      'updated',
      context.state.subscriptions.put({ ...subscription, status: 'past_due' }),
    )
}

/** Nothing is collected for the invoice any more. @throws StripeError 400 for one that is not open */
export function voidInvoice(context: Context, cause: Cause, invoice: InvoiceRecord): InvoiceRecord {
  if (invoice.status !== 'open')
    throw StripeError.invalid(`You can only void an open invoice: it is ${invoice.status}.`)
  const voided = context.state.invoices.put({ ...invoice, status: 'void', retryAt: null })
  const intent = context.state.intents.get(invoice.intentId)
  if (intent && intent.status !== 'canceled' && intent.status !== 'processing') cancelIntent(context, cause, intent, {})
  tellInvoice(context, cause, 'invoice.voided', voided)
  return voided
}

/** A subscription ends. Its open invoice is collected no more by itself. */
export function endSubscription(
  context: Context,
  cause: Cause,
  subscription: SubscriptionRecord,
  status: 'canceled' | 'incomplete_expired',
): void {
  const now = context.now()
  const latest = context.state.invoices.get(subscription.latestInvoiceId)
  if (latest?.status === 'open') {
    if (status === 'incomplete_expired') voidInvoice(context, cause, latest)
    else context.state.invoices.put({ ...latest, retryAt: null })
  }
  const ended = context.state.subscriptions.put({
    ...subscription,
    status,
    canceledAt: subscription.canceledAt ?? now,
    endedAt: now,
  })
  tellSubscription(context, cause, status === 'canceled' ? 'deleted' : 'updated', ended)
}

function openInvoiceOf({ state }: Context, { invoiceId }: IntentRecord): InvoiceRecord | null {
  const invoice = invoiceId === undefined ? undefined : state.invoices.get(invoiceId)
  return invoice?.status === 'open' ? invoice : null
}
