import type { Cause, Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { display } from './amounts.js'
import { recordMovement } from './balance.js'
import { cashOf, moveCash } from './bank-transfers.js'
import { getCustomer } from './customers.js'
import { tellCharge, tellRefund } from './events.js'
import { isByTransfer } from './payer.js'
import { mergeMetadata } from './payment-intents.js'
import type { ChargeRecord, RefundRecord } from './records.js'
import { TEST_CARDS } from './test-cards.js'

/** A refund that does not settle at once settles or fails after this many days; `DAY_SECONDS` scales it. */
const REFUND_SETTLES_AFTER_DAYS = 1 / 24

export interface WantedRefund {
  readonly chargeId?: string | undefined
  readonly intentId?: string | undefined
  readonly amount?: number | undefined
  readonly reason?: RefundRecord['reason'] | undefined
  readonly metadata?: Record<string, string> | '' | undefined
}

/**
 * Refunds a payment, in full or in part.
 *
 * @throws StripeError 400 when nothing is left to refund, or less than asked for
 */
export function createRefund(context: Context, cause: Cause, wanted: WantedRefund): RefundRecord {
  const charge = refundableCharge(context, wanted)
  const left = charge.amount - charge.amountRefunded
  const amount = wanted.amount ?? left
  checkRefund(context, charge, amount, left)
  const intent = context.state.intents.get(charge.intentId)
  if (intent?.customerId !== undefined && isByTransfer(intent)) checkAddress(context, intent.customerId)
  const id = objectId(charge.id.startsWith('ch_') ? 're' : 'pyr')
  const slow = isSlow(context, charge)
  const balance = recordMovement(context, {
    amount: -amount,
    currency: charge.currency,
    type: charge.id.startsWith('ch_') ? 'refund' : 'payment_refund',
    sourceId: id,
    description: 'REFUND FOR CHARGE',
  })
  const refund = context.state.refunds.put({
    id,
    createdAt: context.now(),
    chargeId: charge.id,
    intentId: charge.intentId,
    amount,
    currency: charge.currency,
    status: slow ? 'pending' : 'succeeded',
    reason: wanted.reason ?? null,
    failureReason: null,
    metadata: mergeMetadata({}, wanted.metadata),
    balanceId: balance.id,
    failureBalanceId: null,
    settlesAt: settleTime(context, charge, slow),
  })
  const given = context.state.charges.put({ ...charge, amountRefunded: charge.amountRefunded + amount })
  tellRefund(context, cause, 'refund.created', refund)
  tellCharge(context, cause, 'charge.refunded', given, { amount_refunded: charge.amountRefunded })
  if (!slow) tellUpdated(context, cause, refund, {})
  return refund
}

/**
 * Returns money of a payer that no payment took (docs.stripe.com/payments/customer-balance/refunding).
 *
 * @throws StripeError 400 when the payer's balance is lower, or the payer has no address
 */
export function createCashRefund(
  context: Context,
  cause: Cause,
  wanted: Pick<WantedRefund, 'metadata'> & {
    readonly customerId: string
    readonly amount: number
    readonly currency: string
  },
): RefundRecord {
  const { id: customerId } = getCustomer(context, wanted.customerId)
  const left = cashOf(context, customerId)
  if (wanted.amount < 1 || wanted.amount > left)
    throw StripeError.invalid(
      `Refund amount (${display(wanted.amount, wanted.currency)}) is greater than the customer's cash balance (${display(left, wanted.currency)})`,
      { param: 'amount' },
    )
  checkAddress(context, customerId)
  moveCash(context, cause, {
    customerId,
    type: 'return_initiated',
    netAmount: -wanted.amount,
    currency: wanted.currency,
  })
  const byHand = context.state.settings.refunds === 'by_hand'
  const refund = context.state.refunds.put({
    id: objectId('pyr'),
    createdAt: context.now(),
    chargeId: null,
    intentId: null,
    customerId,
    amount: wanted.amount,
    currency: wanted.currency,
    status: 'pending',
    reason: null,
    failureReason: null,
    metadata: mergeMetadata({}, wanted.metadata),
    balanceId: null,
    failureBalanceId: null,
    settlesAt: byHand ? null : context.now() + REFUND_SETTLES_AFTER_DAYS * context.config.daySeconds * 1000,
  })
  tellRefund(context, cause, 'refund.created', refund)
  return refund
}

/**
 * Stripe refuses to send a bank transfer back when it does not know the payer's bank account and has no address to ask for it. Here it
 * never knows the account.
 */
function checkAddress(context: Context, customerId: string): void {
  if (!context.state.customers.get(customerId)?.email)
    throw StripeError.invalid('The customer of a refund by bank transfer must have an email address.')
}

/** @throws StripeError 404 */
export function getRefund(context: Context, id: string): RefundRecord {
  const refund = context.state.refunds.get(id)
  if (!refund) throw StripeError.missing('refund', id)
  return refund
}

/** A pending refund succeeds. */
export function settleRefund(context: Context, cause: Cause, refund: RefundRecord): RefundRecord {
  const settled = context.state.refunds.put({ ...refund, status: 'succeeded', settlesAt: null })
  tellUpdated(context, cause, settled, { status: refund.status })
  return settled
}

/** A refund fails: the bank returned it, and the money is back in the merchant's balance. */
export function failRefund(context: Context, cause: Cause, refund: RefundRecord): RefundRecord {
  const balance = refund.customerId
    ? moveCash(context, cause, {
        customerId: refund.customerId,
        type: 'return_canceled',
        netAmount: refund.amount,
        currency: refund.currency,
      })
    : recordMovement(context, {
        amount: refund.amount,
        currency: refund.currency,
        type: 'refund_failure',
        sourceId: refund.id,
        description: 'REFUND FAILURE',
      })
  const charge = refund.chargeId === null ? undefined : context.state.charges.get(refund.chargeId)
  if (charge) context.state.charges.put({ ...charge, amountRefunded: charge.amountRefunded - refund.amount })
  const failed = context.state.refunds.put({
    ...refund,
    status: 'failed',
    failureReason: 'expired_or_canceled_card',
    failureBalanceId: refund.customerId ? null : balance.id,
    settlesAt: null,
  })
  tellRefund(context, cause, 'refund.failed', failed, { status: refund.status })
  tellUpdated(context, cause, failed, { status: refund.status })
  return failed
}

/** Settles or fails a refund that is due, as its test card says. */
export function finishRefund(context: Context, cause: Cause, refund: RefundRecord): RefundRecord {
  const charge = refund.chargeId === null ? undefined : context.state.charges.get(refund.chargeId)
  const fails = charge ? instrumentRefund(context, charge) === 'fails' : false
  return fails ? failRefund(context, cause, refund) : settleRefund(context, cause, refund)
}

function refundableCharge(context: Context, wanted: WantedRefund): ChargeRecord {
  if (wanted.chargeId !== undefined) {
    const charge = context.state.charges.get(wanted.chargeId)
    if (!charge) throw StripeError.missing('charge', wanted.chargeId, 'charge')
    return charge
  }
  if (wanted.intentId === undefined) {
    throw StripeError.invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent = context.state.intents.get(wanted.intentId)
  if (!intent) throw StripeError.missing('payment_intent', wanted.intentId, 'payment_intent')
  const charge = intent.chargeId === null ? undefined : context.state.charges.get(intent.chargeId)
  if (charge?.status !== 'succeeded') {
    throw StripeError.wrongState(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent_unexpected_state',
    )
  }
  return charge
}

/** While a bank decides about a charge, and after it has decided against the merchant, Stripe refuses to refund the charge. */
const isChargedBack = (context: Context, { id }: ChargeRecord): boolean =>
  context.state.disputes.newestFirst().some(({ chargeId, status }) => chargeId === id && status !== 'won')

function checkRefund(context: Context, charge: ChargeRecord, amount: number, left: number): void {
  if (charge.status !== 'succeeded') {
    throw StripeError.wrongState(
      `Charge ${charge.id} has not succeeded and cannot be refunded.`,
      'charge_not_refundable',
    )
  }
  if (isChargedBack(context, charge)) {
    throw StripeError.wrongState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  }
  if (left === 0) {
    throw StripeError.wrongState(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
  }
  if (amount < 1) {
    throw StripeError.invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  if (amount > left) {
    const what = left === charge.amount ? 'charge amount' : 'unrefunded amount on charge'
    const message = `Refund amount (${display(amount, charge.currency)}) is greater than ${what} (${display(left, charge.currency)})`
    throw StripeError.invalid(message, { param: 'amount' })
  }
}

function isSlow(context: Context, charge: ChargeRecord): boolean {
  if (context.state.settings.refunds === 'by_hand') return true
  return !charge.id.startsWith('ch_') || instrumentRefund(context, charge) === 'later'
}

function settleTime(context: Context, charge: ChargeRecord, slow: boolean): number | null {
  if (context.state.settings.refunds === 'by_hand') return null
  // A refund that fails looks successful at first, as at the provider.
  if (!slow && instrumentRefund(context, charge) !== 'fails') return null
  return context.now() + REFUND_SETTLES_AFTER_DAYS * context.config.daySeconds * 1000
}

function instrumentRefund(context: Context, charge: ChargeRecord) {
  const method = context.state.methods.get(charge.methodId)
  return method ? TEST_CARDS[method.instrument]?.refund : undefined
}

function tellUpdated(context: Context, cause: Cause, refund: RefundRecord, previous: Record<string, unknown>): void {
  tellRefund(context, cause, 'refund.updated', refund, previous)
  tellRefund(context, cause, 'charge.refund.updated', refund, previous)
}
