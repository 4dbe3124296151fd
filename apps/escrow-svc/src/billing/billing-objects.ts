/** Stripe's subscriptions, invoices and cards, reduced to what we use. Stripe's own types stay here and in the providers beside it. */
import type { SavedCard } from '@holdfast/contracts/payment-methods'
import { isCurrency } from '@holdfast/kernel/money'
import type { InvoiceStatus, SubscriptionStatus } from '@holdfast/kernel/subscriptions'
import type Stripe from 'stripe'
import type { z } from 'zod'
import { idOf, refundStatus } from '../payments/provider-objects.js'
import type { InvoiceEntity } from './subscription.entity.js'

/** A subscription as the provider has it. */
export interface ProviderSubscription {
  readonly id: string
  readonly status: Exclude<SubscriptionStatus, 'creating'>
  readonly periodEndsAt: Date
  readonly cancelsAtPeriodEnd: boolean
  readonly cardLabel: string | null
  /** When it ended, by the provider's clock; null when it has not. */
  readonly endedAt: Date | null
}

/** An invoice as the provider has it. */
export type ProviderInvoice = Pick<
  InvoiceEntity,
  | 'id'
  | 'number'
  | 'status'
  | 'amountMinor'
  | 'currency'
  /** Null on a paid invoice means that no money came through the provider: an operator has marked it as paid. */
  | 'intentId'
  | 'periodStartsAt'
  | 'periodEndsAt'
  | 'createdAt'
  | 'paidAt'
>

/** What went back of a payment, and the fees of its chargebacks, in minor units. */
export interface ProviderReturns {
  /** The sum of the refunds that have not failed. */
  readonly refundedMinor: bigint
  /** What banks have taken and not given back. */
  readonly chargedBackMinor: bigint
  readonly isChargebackLost: boolean
  readonly chargebackFeeMinor: bigint
  /** The currency of what left our balance; null when nothing did. */
  readonly currency: string | null
}

/** @throws Error when the money of one payment left in several currencies */
export function toReturns(refunds: readonly Stripe.Refund[], disputes: readonly Stripe.Dispute[]): ProviderReturns {
  const moved = refunds.filter(({ status }) => refundStatus(status) !== 'failed')
  const movements = disputes.flatMap(({ balance_transactions: transactions }) => transactions)
  const currencies = new Set([...moved, ...movements].map(({ currency }) => currency.toUpperCase()))
  if (currencies.size > 1) throw new Error(`money of one payment left in ${[...currencies].join(' and ')}`)
  const sum = (amounts: readonly number[]) => BigInt(amounts.reduce((total, amount) => total + amount, 0))
  return {
    refundedMinor: sum(moved.map(({ amount }) => amount)),
    chargedBackMinor: -sum(movements.map(({ amount }) => amount)),
    isChargebackLost: disputes.some(({ status }) => status === 'lost'),
    chargebackFeeMinor: sum(movements.map(({ fee }) => fee)),
    currency: [...currencies][0] ?? null,
  }
}

const STATUSES: Record<string, ProviderSubscription['status']> = {
  incomplete: 'incomplete',
  incomplete_expired: 'ended',
  active: 'active',
  trialing: 'active',
  canceled: 'ended',
}

export function toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const [item] = subscription.items.data
  if (!item) throw new Error(`${subscription.id} has no item`)
  const method = subscription.default_payment_method
  return {
    id: subscription.id,
    // In every other status (`past_due`, `unpaid`, `paused`) a period is not paid.
    status: STATUSES[subscription.status] ?? 'past_due',
    periodEndsAt: timeOf(item.current_period_end),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end,
    cardLabel: method && typeof method === 'object' ? cardLabel(method) : null,
    endedAt: subscription.ended_at === null ? null : timeOf(subscription.ended_at),
  }
}

export const hasEnded = ({ status }: Stripe.Subscription): boolean => STATUSES[status] === 'ended'

/** @throws Error for an invoice in a currency that is not known */
export function toInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  const currency = invoice.currency.toUpperCase()
  if (!isCurrency(currency)) throw new Error(`${invoice.id} is in ${currency}, which is not known`)
  const status = invoiceStatus(invoice)
  const [line] = invoice.lines.data
  const paidAt = invoice.status_transitions.paid_at
  return {
    id: invoice.id!,
    number: invoice.number ?? invoice.id!,
    status,
    amountMinor: BigInt(status === 'paid' ? invoice.amount_paid : invoice.amount_due),
    currency,
    intentId: intentOf(invoice),
    periodStartsAt: timeOf(line?.period.start ?? invoice.period_start),
    periodEndsAt: timeOf(line?.period.end ?? invoice.period_end),
    createdAt: timeOf(invoice.created),
    paidAt: status === 'paid' ? timeOf(paidAt ?? invoice.created) : null,
  }
}

function invoiceStatus({ status }: Stripe.Invoice): InvoiceStatus {
  if (status === 'paid') return 'paid'
  return status === 'void' || status === 'uncollectible' ? 'void' : 'open'
}

/** The payment that has paid the invoice, or, when it is not paid, the payment that can pay it. */
function intentOf({ id, status, payments }: Stripe.Invoice): string | null {
  if (!payments) throw new Error(`${id} was read without its payments`)
  for (const { status: paymentStatus, payment } of payments.data) {
    const intentId = idOf(payment.payment_intent)
    if (intentId && (status !== 'paid' || paymentStatus === 'paid')) return intentId
  }
  return null
}

export function toSavedCard(method: Stripe.PaymentMethod, defaultId: string | null): z.input<typeof SavedCard> | null {
  const { id, card } = method
  if (!card) return null
  const { last4, exp_month: expMonth, exp_year: expYear } = card
  return { id, brand: brandName(card), last4, expMonth, expYear, isDefault: id === defaultId }
}

/** "Visa ending in 4242" */
const cardLabel = ({ card }: Stripe.PaymentMethod): string | null =>
  card ? `${brandName(card)} ending in ${card.last4}` : null

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}
const brandName = ({ brand }: Stripe.PaymentMethod.Card): string =>
  BRANDS[brand] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`

const timeOf = (seconds: number) => new Date(seconds * 1000)
