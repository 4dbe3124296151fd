import { findUnstorable } from '@holdfast/service-kit/http/storable'
import type Stripe from 'stripe'
import { z } from 'zod'

/** Stripe's ids are shorter. The limit keeps a wrong one out of our columns and indexes. */
const MAX_ID_LENGTH = 255

const Id = z.string().min(1).max(MAX_ID_LENGTH)
const WithId = z.looseObject({ id: Id })
const Intent = z.looseObject({ id: Id, amount_received: z.int().nonnegative() })
/** A refund, or a chargeback, which Stripe calls a dispute. */
const MoneyBack = z.looseObject({ id: Id, amount: z.int().positive() })
const Chargeback = MoneyBack.extend({
  balance_transactions: z.array(z.looseObject({ amount: z.int(), fee: z.int(), currency: z.string() })).optional(),
})
/** The provider's own payout to us may be negative: then it takes money from our bank. */
const Payout = z.looseObject({ id: Id, amount: z.int(), currency: z.string(), status: z.string(), created: z.int() })

/** The subscription of an invoice, where it has one. */
const Invoice = z.looseObject({
  id: Id,
  parent: z
    .looseObject({
      subscription_details: z.looseObject({ subscription: z.union([Id, z.looseObject({ id: Id })]) }).nullish(),
    })
    .nullish(),
})

/** The forms of the objects of the events that `toProviderEvent` reads. Of every other event only the id and the type are checked. */
const OBJECT_FORMS = {
  'payment_intent.succeeded': z.looseObject({ id: Id, amount_received: z.int().positive() }),
  'payment_intent.payment_failed': Intent,
  'payment_intent.processing': Intent,
  'payment_intent.canceled': Intent,
  'payment_intent.partially_funded': Intent,
  'cash_balance.funds_available': z.looseObject({ customer: Id }),
  'customer_cash_balance_transaction.created': z.looseObject({ type: z.string(), customer: Id }),
  'refund.created': MoneyBack,
  'refund.updated': MoneyBack,
  'refund.failed': MoneyBack,
  'charge.dispute.created': Chargeback,
  'charge.dispute.updated': Chargeback,
  'charge.dispute.closed': Chargeback,
  'charge.dispute.funds_withdrawn': Chargeback,
  'charge.dispute.funds_reinstated': Chargeback,
  'account.updated': WithId,
  'account.external_account.created': WithId,
  'account.external_account.updated': WithId,
  'account.external_account.deleted': WithId,
  'customer.subscription.updated': WithId,
  'customer.subscription.deleted': WithId,
  'invoice.paid': Invoice,
  'invoice.payment_failed': Invoice,
  'invoice.payment_action_required': Invoice,
  'invoice.voided': Invoice,
  'invoice.marked_uncollectible': Invoice,
  'transfer.reversed': WithId,
  'payout.created': Payout,
  'payout.updated': Payout,
  'payout.paid': Payout,
  'payout.failed': Payout,
  'payout.canceled': Payout,
} as const satisfies Partial<Record<Stripe.Event['type'], z.ZodType>>

/** The types of the events that we read: those that an endpoint at Stripe must send (docs/stripe.md). */
export const READ_EVENT_TYPES: readonly string[] = Object.keys(OBJECT_FORMS)

/** Made once, since zod compiles a form when it is first used. */
const EVENT_FORMS = new Map<string, z.ZodType>(
  Object.entries(OBJECT_FORMS).map(([type, object]) => [
    type,
    z.looseObject({
      data: z.looseObject({ object }),
      // The time of the event orders the decisions of a bank.
      ...(type.startsWith('charge.dispute.') && { created: z.int().positive() }),
    }),
  ]),
)

const Event = z.looseObject({ id: Id, type: z.string().min(1).max(MAX_ID_LENGTH) })

/**
 * Checks that a signed event has the fields that we store. A signature proves only who sent it.
 *
 * @throws Error that says which field is wrong
 */
export function checkEventForm(event: unknown): void {
  const unstorable = findUnstorable(event)
  if (unstorable) throw new Error(`${unstorable.path}: ${unstorable.message}`)
  const { type } = Event.parse(event)
  EVENT_FORMS.get(type)?.parse(event)
}
