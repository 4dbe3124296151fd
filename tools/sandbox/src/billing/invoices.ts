import type { Cause, Context } from '../context.js'
import { objectId, randomName } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { payOffSession } from '../payments/attempts.js'
import { recordEvent } from '../payments/events.js'
import { cancelIntent, createIntent } from '../payments/payment-intents.js'
import type { IntentRecord } from '../payments/records.js'
import type { InvoiceRecord, SubscriptionRecord } from './records.js'
import { intentOf, renderInvoice, renderSubscription } from './render.js'

/** After a card was declined it is charged again so many days later, so often; then the subscription ends. */
const RETRY_AFTER_DAYS = 3
const MAX_ATTEMPTS = 4
/** The invoice of a renewal is a draft for an hour. */
const DRAFT_DAYS = 1 / 24
const NUMBER_LENGTH = 8

function tellInvoice(context: Context, cause: Cause, type: `invoice.${string}`, invoice: InvoiceRecord): void {
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

/** Bills a period of a subscription. The invoice is a draft, which `finalize` makes payable. */
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
  const draft = context.state.invoices.put({
    id: objectId('in'),
    createdAt: context.now(),
    number: null,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    reason,
    amount,
    currency,
    status: 'draft',
    intentId: null,
    description: `1 × ${product} (at $${(amount / 100).toFixed(2)} / ${price.interval})`,
    periodStart: subscription.periodStart,
    periodEnd: subscription.periodEnd,
    attempts: 0,
    paidAt: null,
    retryAt: null,
    finalizesAt: context.now() + DRAFT_DAYS * context.config.daySeconds * 1000,
  })
  tellInvoice(context, cause, 'invoice.created', draft)
  return draft
}

/** Makes a draft final: from now on it can be paid. */
export function finalize(context: Context, cause: Cause, draft: InvoiceRecord): InvoiceRecord {
  const intent = createIntent(context, cause, {
    amount: draft.amount,
    currency: draft.currency,
    customer: draft.customerId,
    description: draft.reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    payment_method_types: ['card'],
    setup_future_usage: 'off_session',
  })
  context.state.intents.put({ ...intent, invoiceId: draft.id })
  const invoice = context.state.invoices.put({
    ...draft,
    status: 'open',
    number: `${randomName(NUMBER_LENGTH).toUpperCase()}-0001`,
    intentId: intent.id,
    finalizesAt: null,
  })
  tellInvoice(context, cause, 'invoice.finalized', invoice)
  return invoice
}

/** Charges the subscription's card for an open invoice, without its holder. */
export function collect(context: Context, cause: Cause, invoice: InvoiceRecord): void {
  const { state } = context
  const intent = intentOf(context, invoice)
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

/**
 * Nothing is collected for the invoice any more. A subscription whose latest period was not paid is active then, as at the provider.
 *
 * @throws StripeError 400 for one that is not open, or whose payment is under way
 */
export function voidInvoice(context: Context, cause: Cause, invoice: InvoiceRecord): InvoiceRecord {
  const { state } = context
  if (invoice.status !== 'open')
    throw StripeError.invalid("You can only pass in open invoices. This invoice isn't open.")
  const intent = intentOf(context, invoice)
  if (intent?.status === 'processing')
    throw StripeError.invalid('You cannot void an invoice while a payment for it is processing.')
  const voided = state.invoices.put({ ...invoice, status: 'void', retryAt: null })
  if (intent && intent.status !== 'canceled') cancelIntent(context, cause, intent, {})
  tellInvoice(context, cause, 'invoice.voided', voided)
  const subscription = state.subscriptions.get(invoice.subscriptionId)
  if (subscription?.status === 'past_due' && subscription.latestInvoiceId === invoice.id)
    tellSubscription(context, cause, 'updated', state.subscriptions.put({ ...subscription, status: 'active' }))
  return voided
}

/** A subscription ends. Its open invoice is collected no more by itself, and its draft does not become final. */
export function endSubscription(
  context: Context,
  cause: Cause,
  subscription: SubscriptionRecord,
  status: 'canceled' | 'incomplete_expired',
): void {
  const now = context.now()
  const latest = context.state.invoices.get(subscription.latestInvoiceId)
  if (latest?.status === 'draft') context.state.invoices.put({ ...latest, finalizesAt: null })
  if (latest?.status === 'open') {
    const isPaying = intentOf(context, latest)?.status === 'processing'
    if (status === 'incomplete_expired' && !isPaying) voidInvoice(context, cause, latest)
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
