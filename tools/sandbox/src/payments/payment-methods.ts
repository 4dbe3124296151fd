import { z } from 'zod'
import type { Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { address, choice, integer, metadata, text } from '../http/params.js'
import { StripeError } from '../http/stripe-error.js'
import type { AddressLine, BillingDetails, PaymentMethodRecord } from './records.js'
import { findBankAccountName, findCardName, passesLuhn, READY_METHODS, TEST_ROUTING_NUMBER } from './test-cards.js'

const MIN_CARD_DIGITS = 12
const MAX_CARD_DIGITS = 19
/** The provider accepts expiry years up to fifty years ahead. */
const MAX_YEARS_AHEAD = 50

export const methodDataShape = {
  type: choice(['card', 'us_bank_account', 'crypto', 'customer_balance']),
  card: z
    .strictObject({ number: text(40), exp_month: integer, exp_year: integer, cvc: z.string().optional() })
    .optional(),
  us_bank_account: z
    .strictObject({
      account_holder_type: choice(['individual', 'company']).optional(),
      account_type: choice(['checking', 'savings']).optional(),
      account_number: text(20),
      routing_number: text(20),
    })
    .optional(),
  crypto: z.union([z.literal(''), z.strictObject({})]).optional(),
  billing_details: z
    .strictObject({
      name: z.string().max(200).optional(),
      email: z.string().max(800).optional(),
      phone: z.string().max(40).optional(),
      address: address.optional(),
    })
    .optional(),
  metadata: metadata.optional(),
  allow_redisplay: choice(['always', 'limited', 'unspecified']).optional(),
  /** Fields that the provider's browser library adds; they have no effect here. */
  guid: z.string().optional(),
  muid: z.string().optional(),
  sid: z.string().optional(),
  payment_user_agent: z.string().optional(),
  referrer: z.string().optional(),
  time_on_page: z.string().optional(),
}

const methodData = z.strictObject(methodDataShape)
export type MethodData = z.output<typeof methodData>

/**
 * Creates a payment method. Only the provider's test numbers are accepted. The record names the test card; the number itself
 * is not kept.
 *
 * @throws StripeError 402 for an impossible card number, expiry or security code, 400 for missing details
 */
export function createMethod(context: Context, data: MethodData): PaymentMethodRecord {
  return context.state.methods.put({
    id: objectId('pm'),
    createdAt: context.now(),
    type: data.type,
    ...instrumentOf(data, new Date(context.now())),
    billing: billingOf(data.billing_details),
    metadata: data.metadata === '' || data.metadata === undefined ? {} : data.metadata,
    used: false,
  })
}

/**
 * The method with this id; a ready-made test method (`pm_card_visa`) becomes a new method with each use.
 *
 * @throws StripeError 404
 */
export function getMethod(context: Context, id: string, param = 'payment_method'): PaymentMethodRecord {
  const known = context.state.methods.get(id)
  if (known) return known
  const card = Object.hasOwn(READY_METHODS, id) ? READY_METHODS[id] : undefined
  const isBank = id === 'pm_usBankAccount_success'
  if (!card && !isBank) throw StripeError.missing('PaymentMethod', id, param)
  const now = new Date(context.now())
  return context.state.methods.put({
    id: objectId('pm'),
    createdAt: now.getTime(),
    type: card ? 'card' : 'us_bank_account',
    instrument: card ?? 'bank_pays',
    expMonth: card ? now.getUTCMonth() + 1 : 0,
    expYear: card ? now.getUTCFullYear() + 1 : 0,
    billing: billingOf(undefined),
    metadata: {},
    used: false,
  })
}

function instrumentOf(data: MethodData, now: Date): Pick<PaymentMethodRecord, 'instrument' | 'expMonth' | 'expYear'> {
  if (data.type === 'crypto') return { instrument: 'wallet', expMonth: 0, expYear: 0 }
  if (data.type === 'customer_balance') return { instrument: 'transfer', expMonth: 0, expYear: 0 }
  if (data.type === 'us_bank_account') return { instrument: bankAccountOf(data), expMonth: 0, expYear: 0 }
  const { card } = data
  if (!card) throw missing('card')
  const digits = card.number.replaceAll(/[ -]/g, '')
  const instrument = cardNameOf(digits)
  const expYear = card.exp_year < 100 ? 2000 + card.exp_year : card.exp_year
  checkExpiry(card.exp_month, expYear, now)
  if (card.cvc !== undefined) checkSecurityCode(card.cvc, digits)
  return { instrument, expMonth: card.exp_month, expYear }
}

function cardNameOf(digits: string): string {
  if (!/^\d+$/.test(digits) || digits.length < MIN_CARD_DIGITS || digits.length > MAX_CARD_DIGITS) {
    throw StripeError.card('The card number is not a valid credit card number.', 'invalid_number', {
      param: 'number',
    })
  }
  if (!passesLuhn(digits)) {
    throw StripeError.card('Your card number is incorrect.', 'incorrect_number', { param: 'number' })
  }
  const name = findCardName(digits)
  if (name) return name
  const message =
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://docs.stripe.com/testing.'
  throw StripeError.card(message, 'card_declined', { decline_code: 'test_mode_live_card', param: 'number' })
}

function checkExpiry(month: number, year: number, now: Date): void {
  if (month < 1 || month > 12) throw badExpiry('month')
  const thisYear = now.getUTCFullYear()
  if (year < thisYear || year > thisYear + MAX_YEARS_AHEAD) throw badExpiry('year')
  // A card is good to the last day of its month.
  if (year === thisYear && month < now.getUTCMonth() + 1) throw badExpiry('month')
}

function badExpiry(part: 'month' | 'year'): StripeError {
  const param = part === 'month' ? 'exp_month' : 'exp_year'
  return StripeError.card(`Your card's expiration ${part} is invalid.`, `invalid_expiry_${part}`, { param })
}

function checkSecurityCode(cvc: string, digits: string): void {
  const isAmex = /^3[47]/.test(digits)
  if (!(isAmex ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw StripeError.card("Your card's security code is invalid.", 'invalid_cvc', { param: 'cvc' })
  }
}

function bankAccountOf(data: MethodData): string {
  const account = data.us_bank_account
  if (!account) throw missing('us_bank_account')
  if (account.routing_number !== TEST_ROUTING_NUMBER) {
    throw StripeError.invalid(`You must use a test bank routing number in test mode. Try ${TEST_ROUTING_NUMBER}.`, {
      code: 'routing_number_invalid',
      param: 'us_bank_account[routing_number]',
    })
  }
  const name = findBankAccountName(account.account_number)
  if (name) return name
  throw StripeError.invalid('You must use a test bank account number in test mode. Try 000123456789.', {
    code: 'account_number_invalid',
    param: 'us_bank_account[account_number]',
  })
}

function missing(param: string): StripeError {
  return StripeError.invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

function billingOf(details: MethodData['billing_details']): BillingDetails {
  return {
    name: details?.name ?? null,
    email: details?.email ?? null,
    phone: details?.phone ?? null,
    address: details?.address ? addressOf(details.address) : null,
  }
}

export function addressOf(lines: z.output<typeof address>): Readonly<Record<AddressLine, string | null>> {
  return {
    city: lines.city ?? null,
    country: lines.country ?? null,
    line1: lines.line1 ?? null,
    line2: lines.line2 ?? null,
    postal_code: lines.postal_code ?? null,
    state: lines.state ?? null,
  }
}
