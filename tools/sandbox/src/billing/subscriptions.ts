/** Subscriptions that are paid by card, period by period (docs.stripe.com/billing/subscriptions/overview). */
import type { Cause, Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { getCustomer } from '../payments/customers.js'
import { attachedMethod } from '../payments/saved-methods.js'
import { bill, collect, endSubscription, finalize, tellSubscription } from './invoices.js'
import type { Interval, InvoiceRecord, SubscriptionRecord } from './records.js'

/** A month and a year of the provider at home, in days. `DAY_SECONDS` scales both. */
const PERIOD_DAYS: Readonly<Record<Interval, number>> = { month: 30, year: 365 }
/** A subscription whose first invoice is not paid within this time expires. */
const INCOMPLETE_DAYS = 23 / 24

/** @throws StripeError 404 */
export function getSubscription(context: Context, id: string): SubscriptionRecord {
  const subscription = context.state.subscriptions.get(id)
  if (!subscription) throw StripeError.missing('subscription', id, 'id')
  return subscription
}

/** Opens a subscription that begins when its first invoice is paid. */
export function createSubscription(
  context: Context,
  cause: Cause,
  wanted: Pick<SubscriptionRecord, 'customerId' | 'priceId' | 'metadata' | 'description'>,
): SubscriptionRecord {
  const { id: customerId } = getCustomer(context, wanted.customerId)
  const price = context.state.prices.get(wanted.priceId)
  if (!price) throw StripeError.missing('price', wanted.priceId, 'items[0][price]')
  const now = context.now()
  const period = { periodStart: now, periodEnd: now + periodMs(context, price.interval) }
  const id = objectId('sub')
  const draft = bill(context, cause, { id, customerId, priceId: price.id, ...period }, 'subscription_create')
  const invoice = finalize(context, cause, draft)
  const subscription = context.state.subscriptions.put({
    ...wanted,
    ...period,
    id,
    createdAt: now,
    status: 'incomplete',
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    latestInvoiceId: invoice.id,
    methodId: null,
    fails: false,
  })
  tellSubscription(context, cause, 'created', subscription)
  return subscription
}

/** Changes whether a subscription ends with its period, and which card pays it. @throws StripeError 400 when it has ended */
export function updateSubscription(
  context: Context,
  cause: Cause,
  subscription: SubscriptionRecord,
  wanted: { readonly cancelAtPeriodEnd?: boolean | undefined; readonly methodId?: string | undefined },
): SubscriptionRecord {
  refuseEnded(subscription)
  const { cancelAtPeriodEnd = subscription.cancelAtPeriodEnd } = wanted
  const isCancelled = cancelAtPeriodEnd && !subscription.cancelAtPeriodEnd
  const methodId = wanted.methodId && attachedMethod(context, wanted.methodId, subscription.customerId).id
  const changed = context.state.subscriptions.put({
    ...subscription,
    cancelAtPeriodEnd,
    canceledAt: isCancelled ? context.now() : cancelAtPeriodEnd ? subscription.canceledAt : null,
    methodId: methodId ?? subscription.methodId,
  })
  tellSubscription(context, cause, 'updated', changed)
  return changed
}

/** Ends a subscription at once. Nothing is returned of what was paid. @throws StripeError 400 when it has ended */
export function cancelSubscription(
  context: Context,
  cause: Cause,
  subscription: SubscriptionRecord,
): SubscriptionRecord {
  refuseEnded(subscription)
  endSubscription(
    context,
    cause,
    subscription,
    subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled',
  )
  return getSubscription(context, subscription.id)
}

/**
 * The period of a subscription ends: the next one is billed by a draft, unless the subscription ends with it.
 *
 * @returns the draft; null when the subscription has ended
 */
export function renew(context: Context, cause: Cause, subscription: SubscriptionRecord): InvoiceRecord | null {
  if (subscription.cancelAtPeriodEnd) {
    endSubscription(context, cause, subscription, 'canceled')
    return null
  }
  const price = context.state.prices.get(subscription.priceId)
  if (!price) throw new Error(`${subscription.id} is under way but its price is gone`)
  // A person may end the period early at the sandbox's page: the next one begins now.
  const periodStart = Math.min(subscription.periodEnd, context.now())
  const period = { periodStart, periodEnd: periodStart + periodMs(context, price.interval) }
  const invoice = bill(context, cause, { ...subscription, ...period }, 'subscription_cycle')
  const next = context.state.subscriptions.put({ ...subscription, ...period, latestInvoiceId: invoice.id })
  tellSubscription(context, cause, 'updated', next)
  return invoice
}

/** Makes a draft final and charges the card for it. */
export function charge(context: Context, cause: Cause, draft: InvoiceRecord): void {
  collect(context, cause, finalize(context, cause, draft))
}

/** Renews what is due, makes drafts final, charges cards again, and ends what was never paid; the caller commits. */
export function renewDue(context: Context, cause: Cause): void {
  const now = context.now()
  const { subscriptions, invoices } = context.state
  for (const each of [...subscriptions.oldestFirst()]) {
    if (each.status === 'active' && each.periodEnd <= now) renew(context, cause, each)
    if (each.status === 'incomplete' && each.createdAt + INCOMPLETE_DAYS * dayMs(context) <= now)
      endSubscription(context, cause, each, 'incomplete_expired')
  }
  const isDue = (at: number | null) => at !== null && at <= now
  for (const each of [...invoices.oldestFirst()]) {
    if (each.status === 'draft' && isDue(each.finalizesAt)) charge(context, cause, each)
    if (each.status === 'open' && isDue(each.retryAt)) collect(context, cause, each)
  }
}

function refuseEnded({ id, status, endedAt }: SubscriptionRecord): void {
  if (endedAt === null) return
  throw StripeError.invalid(`No such subscription: ${id}. A subscription that is ${status} can only be read.`, {
    code: 'resource_missing',
    param: 'id',
  })
}

const dayMs = (context: Context) => context.config.daySeconds * 1000
const periodMs = (context: Context, interval: Interval) => PERIOD_DAYS[interval] * dayMs(context)
