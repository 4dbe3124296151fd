import type { PaymentFailure } from './records.js'

/** What a test card does when it is used to pay. */
export type Behaviour =
  | { readonly does: 'pay' }
  | { readonly does: 'decline'; readonly failure: PaymentFailure }
  /** The payer must pass the bank's check (3-D Secure) first. */
  | { readonly does: 'challenge'; readonly passed: 'pay' | PaymentFailure }

export interface TestCard {
  readonly number: string
  readonly brand: string
  readonly funding: 'credit' | 'debit'
  readonly behaviour: Behaviour
  /** How a refund to this card ends; it succeeds at once unless given. */
  readonly refund?: 'later' | 'fails'
  /** The cardholder will dispute the payment. */
  readonly disputed?: true
  /** It can be saved with a customer, and only payments are declined. */
  readonly declinesOnlyPayments?: true
}

const card = (number: string, brand: string, behaviour: Behaviour, more: Partial<TestCard> = {}): TestCard => ({
  number: number.replaceAll(' ', ''),
  brand,
  funding: 'credit',
  behaviour,
  ...more,
})

const pays: Behaviour = { does: 'pay' }

const failure = (code: string, declineCode: string | null, message: string): PaymentFailure => ({
  code,
  declineCode,
  message,
})

const declined = (declineCode: string, message = 'Your card was declined.'): PaymentFailure =>
  failure('card_declined', declineCode, message)

const declines = (why: PaymentFailure): Behaviour => ({ does: 'decline', failure: why })

export const AUTHENTICATION_FAILED = failure(
  'payment_intent_authentication_failure',
  null,
  'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
)

export const SETUP_AUTHENTICATION_FAILED = failure(
  'setup_intent_authentication_failure',
  null,
  'The latest attempt to set up the payment method has failed because authentication failed.',
)

/** A payment without its payer, whom the bank wants to ask. */
export const AUTHENTICATION_REQUIRED = failure(
  'authentication_required',
  'authentication_required',
  'Your card was declined. This transaction requires authentication.',
)

/** What a person sets at the sandbox for the next payments of a subscription. */
export const DECLINED_AT_RENEWAL = declined('generic_decline')

/** The provider's published test cards (docs.stripe.com/testing), by the name we remember them under. */
export const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  visa: card('4242 4242 4242 4242', 'visa', pays),
  visa_debit: card('4000 0566 5566 5556', 'visa', pays, { funding: 'debit' }),
  mastercard: card('5555 5555 5555 4444', 'mastercard', pays),
  mastercard_2_series: card('2223 0031 2200 3222', 'mastercard', pays),
  mastercard_debit: card('5200 8282 8282 8210', 'mastercard', pays, { funding: 'debit' }),
  amex: card('3782 822463 10005', 'amex', pays),
  discover: card('6011 1111 1111 1117', 'discover', pays),
  diners: card('3056 9300 0902 0004', 'diners', pays),
  jcb: card('3566 0020 2036 0505', 'jcb', pays),
  unionpay: card('6200 0000 0000 0005', 'unionpay', pays),
  available_at_once: card('4000 0000 0000 0077', 'visa', pays),
  generic_decline: card('4000 0000 0000 0002', 'visa', declines(declined('generic_decline'))),
  insufficient_funds: card(
    '4000 0000 0000 9995',
    'visa',
    declines(declined('insufficient_funds', 'Your card has insufficient funds.')),
  ),
  decline_after_attaching: card('4000 0000 0000 0341', 'visa', declines(declined('generic_decline')), {
    declinesOnlyPayments: true,
  }),
  lost_card: card('4000 0000 0000 9987', 'visa', declines(declined('lost_card'))),
  stolen_card: card('4000 0000 0000 9979', 'visa', declines(declined('stolen_card'))),
  fraudulent: card('4100 0000 0000 0019', 'visa', declines(declined('fraudulent'))),
  expired_card: card(
    '4000 0000 0000 0069',
    'visa',
    declines(failure('expired_card', 'expired_card', 'Your card has expired.')),
  ),
  incorrect_cvc: card(
    '4000 0000 0000 0127',
    'visa',
    declines(failure('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect.")),
  ),
  processing_error: card(
    '4000 0000 0000 0119',
    'visa',
    declines(
      failure(
        'processing_error',
        'processing_error',
        'An error occurred while processing your card. Try again in a little bit.',
      ),
    ),
  ),
  authentication_required: card('4000 0025 0000 3155', 'visa', { does: 'challenge', passed: 'pay' }),
  authentication_always: card('4000 0027 6000 3184', 'visa', { does: 'challenge', passed: 'pay' }),
  authentication_2: card('4000 0000 0000 3220', 'visa', { does: 'challenge', passed: 'pay' }),
  authentication_then_declined: card('4000 0084 0000 1629', 'visa', {
    does: 'challenge',
    passed: declined('generic_decline'),
  }),
  authentication_optional: card('4000 0000 0000 3055', 'visa', pays),
  refund_later: card('4000 0000 0000 7726', 'visa', pays, { refund: 'later' }),
  refund_fails: card('4000 0000 0000 5126', 'visa', pays, { refund: 'fails' }),
  disputed: card('4000 0000 0000 0259', 'visa', pays, { disputed: true }),
}

const NAME_BY_NUMBER = new Map(Object.entries(TEST_CARDS).map(([name, { number }]) => [number, name]))

/** The ready-made methods that servers name in place of a number (docs.stripe.com/testing?testing-method=payment-methods). */
export const READY_METHODS: Readonly<Record<string, string>> = {
  pm_card_visa: 'visa',
  pm_card_chargeCustomerFail: 'decline_after_attaching',
  pm_card_visa_debit: 'visa_debit',
  pm_card_mastercard: 'mastercard',
  pm_card_amex: 'amex',
  pm_card_bypassPending: 'available_at_once',
  pm_card_visa_chargeDeclined: 'generic_decline',
  pm_card_chargeDeclined: 'generic_decline',
  pm_card_visa_chargeDeclinedInsufficientFunds: 'insufficient_funds',
  pm_card_chargeDeclinedInsufficientFunds: 'insufficient_funds',
  pm_card_visa_chargeDeclinedLostCard: 'lost_card',
  pm_card_visa_chargeDeclinedStolenCard: 'stolen_card',
  pm_card_chargeDeclinedExpiredCard: 'expired_card',
  pm_card_chargeDeclinedIncorrectCvc: 'incorrect_cvc',
  pm_card_chargeDeclinedProcessingError: 'processing_error',
  pm_card_authenticationRequired: 'authentication_always',
  pm_card_authenticationRequiredOnSetup: 'authentication_required',
  pm_card_threeDSecure2Required: 'authentication_2',
  pm_card_pendingRefund: 'refund_later',
  pm_card_refundFail: 'refund_fails',
  pm_card_createDispute: 'disputed',
}

export const findCardName = (digits: string): string | undefined => NAME_BY_NUMBER.get(digits)

/** A bank account for direct debits; it always takes days, so it pays or fails only when it settles. */
export interface TestBankAccount {
  readonly accountNumber: string
  readonly outcome: 'pay' | PaymentFailure
}

export const TEST_ROUTING_NUMBER = '110000000'

/** The provider's published test accounts (docs.stripe.com/payments/ach-direct-debit#test-account-numbers). */
export const TEST_BANK_ACCOUNTS: Readonly<Record<string, TestBankAccount>> = {
  bank_pays: { accountNumber: '000123456789', outcome: 'pay' },
  bank_closed: {
    accountNumber: '000111111113',
    outcome: failure('bank_account_unusable', null, "The customer's bank account could not be used: it is closed."),
  },
  bank_no_account: {
    accountNumber: '000111111116',
    outcome: failure('bank_account_unusable', null, "The customer's bank account could not be located."),
  },
  bank_insufficient_funds: {
    accountNumber: '000222222227',
    outcome: failure(
      'insufficient_funds',
      null,
      "The customer's account has insufficient funds to cover this payment.",
    ),
  },
  bank_debit_not_authorized: {
    accountNumber: '000333333335',
    outcome: failure(
      'debit_not_authorized',
      null,
      'The customer has notified their bank that this debit was unauthorized.',
    ),
  },
}

export const findBankAccountName = (accountNumber: string): string | undefined =>
  Object.entries(TEST_BANK_ACCOUNTS).find(([, account]) => account.accountNumber === accountNumber)?.[0]

/** Whether the digits pass the check that every card number carries (ISO/IEC 7812-1, Luhn). */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
