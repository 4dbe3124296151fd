import { invoiceFailed, invoicePaid } from '../billing/invoices.js'
import { type Cause, type Context, NO_CALL } from '../context.js'
import { objectId, randomName } from '../http/object-ids.js'
import { recordBalance } from './balance.js'
import { openDispute } from './disputes.js'
import { tellCharge, tellIntent } from './events.js'
import { isByTransfer } from './payer.js'
import type { ChargeRecord, IntentRecord, PayerAction, PaymentFailure, PaymentMethodRecord } from './records.js'
import { saveMethodOf } from './saved-methods.js'
import {
  AUTHENTICATION_FAILED,
  AUTHENTICATION_REQUIRED,
  DECLINED_AT_RENEWAL,
  TEST_BANK_ACCOUNTS,
  TEST_CARDS,
} from './test-cards.js'

/** A direct debit is final after two days, a crypto payment after half an hour; `DAY_SECONDS` scales both. */
const BANK_SETTLES_AFTER_DAYS = 2
const CRYPTO_SETTLES_AFTER_DAYS = 1 / 48

export type Redirect = Pick<PayerAction, 'kind' | 'returnUrl'>

/** Carries out a confirmation as far as its method allows: paid, declined, processing, or waiting for the payer. */
export function attempt(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  method: PaymentMethodRecord,
  redirect: Redirect,
): IntentRecord {
  const fresh: IntentRecord = { ...intent, methodId: method.id, lastError: null, action: null, settlesAt: null }
  if (method.type === 'crypto') return askPayer(context, cause, fresh, redirect)
  // The payer sends the money from their bank: the intent waits with the bank details.
  if (method.type === 'customer_balance') return putWaitingForTransfer(context, cause, fresh)
  if (method.type === 'us_bank_account') return wait(context, cause, fresh, method, settleTime(context, method))
  const behaviour = TEST_CARDS[method.instrument]?.behaviour ?? { does: 'pay' as const }
  if (behaviour.does === 'challenge') return askPayer(context, cause, fresh, redirect)
  if (behaviour.does === 'decline') return fail(context, cause, fresh, method, null, behaviour.failure)
  return payNow(context, cause, fresh, method)
}

/**
 * Charges a saved card without its holder, as a subscription does. A bank that wants to ask the holder declines it, unless the card
 * was saved for such payments.
 *
 * @param isDeclined set at the sandbox: the card is declined, whatever it is
 */
export function payOffSession(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  method: PaymentMethodRecord,
  isDeclined: boolean,
): IntentRecord {
  const fresh: IntentRecord = { ...intent, methodId: method.id, lastError: null, action: null, settlesAt: null }
  const behaviour = TEST_CARDS[method.instrument]?.behaviour ?? { does: 'pay' as const }
  const isAsked = behaviour.does === 'challenge' && method.instrument !== 'authentication_required'
  const why = isDeclined
    ? DECLINED_AT_RENEWAL
    : behaviour.does === 'decline'
      ? behaviour.failure
      : isAsked
        ? AUTHENTICATION_REQUIRED
        : null
  return why ? fail(context, cause, fresh, method, null, why) : payNow(context, cause, fresh, method)
}

/**
 * The payer has acted on the bank's or wallet's page.
 *
 * @param passed false when the payer refused or failed the check
 */
export function completeChallenge(context: Context, cause: Cause, intent: IntentRecord, passed: boolean): IntentRecord {
  const method = methodOf(context, intent)
  const fresh: IntentRecord = { ...intent, action: null }
  if (!passed) return refuse(context, cause, fresh, method)
  if (method.type === 'crypto') return wait(context, cause, fresh, method, settleTime(context, method))
  const behaviour = TEST_CARDS[method.instrument]?.behaviour
  if (behaviour?.does === 'challenge' && behaviour.passed !== 'pay') {
    return fail(context, cause, fresh, method, null, behaviour.passed)
  }
  return payNow(context, cause, fresh, method)
}

/** Settles a processing payment: it succeeds, or fails when its test account says so. */
export function settle(context: Context, cause: Cause, intent: IntentRecord): IntentRecord {
  const method = methodOf(context, intent)
  const outcome = TEST_BANK_ACCOUNTS[method.instrument]?.outcome ?? 'pay'
  if (outcome !== 'pay') return fail(context, cause, intent, method, chargeOf(context, intent), outcome)
  return succeed(context, cause, intent, method, chargeOf(context, intent))
}

/** Declines a processing payment. */
export function decline(context: Context, cause: Cause, intent: IntentRecord, why: PaymentFailure): IntentRecord {
  return fail(context, cause, intent, methodOf(context, intent), chargeOf(context, intent), why)
}

/** The transfers of the payer add up to the amount. The banks have not confirmed them yet. */
export function awaitFinalFunds(context: Context, cause: Cause, intent: IntentRecord): IntentRecord {
  const method = methodOf(context, intent)
  return wait(context, cause, intent, method, settleTime(context, method))
}

function putWaitingForTransfer(context: Context, cause: Cause, intent: IntentRecord): IntentRecord {
  const waiting = context.state.intents.put({ ...intent, status: 'requires_action', funded: 0 })
  tellIntent(context, cause, 'payment_intent.requires_action', waiting)
  return waiting
}

function payNow(context: Context, cause: Cause, intent: IntentRecord, method: PaymentMethodRecord): IntentRecord {
  if (context.state.settings.cards === 'by_hand') return wait(context, cause, intent, method, null)
  return succeed(context, cause, intent, method, null)
}

function askPayer(context: Context, cause: Cause, intent: IntentRecord, redirect: Redirect): IntentRecord {
  const asked = context.state.intents.put({
    ...intent,
    status: 'requires_action',
    action: { ...redirect, token: randomName() },
  })
  tellIntent(context, cause, 'payment_intent.requires_action', asked)
  return asked
}

function wait(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  method: PaymentMethodRecord,
  settlesAt: number | null,
): IntentRecord {
  const charge = context.state.charges.put(newCharge(context, intent, method, 'pending', null))
  context.state.methods.put({ ...method, used: true })
  const waiting = context.state.intents.put({ ...intent, status: 'processing', chargeId: charge.id, settlesAt })
  tellCharge(context, cause, 'charge.pending', charge)
  tellIntent(context, cause, 'payment_intent.processing', waiting)
  return waiting
}

function succeed(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  method: PaymentMethodRecord,
  pending: ChargeRecord | null,
): IntentRecord {
  const base = pending ?? newCharge(context, intent, method, 'succeeded', null)
  const balance = recordBalance(context, method.type, base)
  const charge = context.state.charges.put({ ...base, status: 'succeeded', balanceId: balance.id })
  context.state.methods.put({ ...method, used: true })
  const paid = context.state.intents.put({ ...intent, status: 'succeeded', chargeId: charge.id, settlesAt: null })
  tellCharge(context, cause, 'charge.succeeded', charge)
  tellIntent(context, cause, 'payment_intent.succeeded', paid)
  saveMethodOf(context, cause, paid, context.state.methods.get(method.id) ?? method)
  invoicePaid(context, cause, paid)
  if (TEST_CARDS[method.instrument]?.disputed) openDispute(context, NO_CALL, charge)
  return paid
}

function fail(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  method: PaymentMethodRecord,
  pending: ChargeRecord | null,
  why: PaymentFailure,
): IntentRecord {
  const charge = context.state.charges.put({
    ...(pending ?? newCharge(context, intent, method, 'failed', why)),
    status: 'failed',
    failure: why,
  })
  tellCharge(context, cause, 'charge.failed', charge)
  return backToStart(
    context,
    cause,
    { ...intent, chargeId: charge.id },
    { ...why, methodId: method.id, chargeId: charge.id },
  )
}

function refuse(context: Context, cause: Cause, intent: IntentRecord, method: PaymentMethodRecord): IntentRecord {
  return backToStart(context, cause, intent, { ...AUTHENTICATION_FAILED, methodId: method.id, chargeId: null })
}

function backToStart(
  context: Context,
  cause: Cause,
  intent: IntentRecord,
  lastError: NonNullable<IntentRecord['lastError']>,
): IntentRecord {
  const failed = context.state.intents.put({
    ...intent,
    status: 'requires_payment_method',
    methodId: null,
    lastError,
    action: null,
    settlesAt: null,
    ...(isByTransfer(intent) && { funded: 0 }),
  })
  tellIntent(context, cause, 'payment_intent.payment_failed', failed)
  invoiceFailed(context, cause, failed)
  return failed
}

function newCharge(
  context: Context,
  intent: IntentRecord,
  method: PaymentMethodRecord,
  status: ChargeRecord['status'],
  failure: PaymentFailure | null,
): ChargeRecord {
  return {
    // Charges of anything but a card are named payments (docs.stripe.com/api/charges).
    id: objectId(method.type === 'card' ? 'ch' : 'py'),
    createdAt: context.now(),
    intentId: intent.id,
    methodId: method.id,
    amount: intent.amount,
    amountRefunded: 0,
    currency: intent.currency,
    status,
    failure,
    balanceId: null,
    disputed: false,
    description: intent.description,
    metadata: intent.metadata,
  }
}

function settleTime(context: Context, method: PaymentMethodRecord): number {
  const days = method.type === 'crypto' ? CRYPTO_SETTLES_AFTER_DAYS : BANK_SETTLES_AFTER_DAYS
  return context.now() + days * context.config.daySeconds * 1000
}

function methodOf(context: Context, intent: IntentRecord): PaymentMethodRecord {
  const method = intent.methodId === null ? undefined : context.state.methods.get(intent.methodId)
  if (!method) throw new Error(`${intent.id} is under way but its payment method is gone`)
  return method
}

function chargeOf(context: Context, intent: IntentRecord): ChargeRecord | null {
  const charge = intent.chargeId === null ? undefined : context.state.charges.get(intent.chargeId)
  return charge?.status === 'pending' ? charge : null
}
