/**
 * Every code with which a request can be refused, and the message that a user reads. The HTTP status of a code is in
 * `libs/contracts/src/errors.ts`, because the kernel depends on no protocol.
 */
export const ERROR_MESSAGES = {
  VALIDATION_FAILED: 'Some fields are missing or not valid.',
  AMOUNT_INVALID: 'The amount is not a valid amount of this currency.',
  MALFORMED_REQUEST: 'The request could not be read.',
  UNAUTHENTICATED: 'Please sign in.',
  INVALID_CREDENTIALS: 'Invalid email or password',
  ACCOUNT_SUSPENDED: 'This account is suspended. Please write to our support team.',
  SIGN_IN_PROVIDER_UNAVAILABLE:
    'This sign-in provider could not be reached. Please try again, or sign in with your email and password.',
  SIGN_IN_NOT_COMPLETED: 'The sign-in was not completed at the provider. Please try again.',
  SIGN_IN_EMAIL_UNVERIFIED:
    'This provider has not verified your e-mail address. Verify it there first, or use your email and a password here.',
  SIGN_IN_EMAIL_IN_USE:
    'An account has this e-mail address already. Sign in with its password. If you do not know it, set a new one by “Forgot your password?”.',
  SIGN_IN_AGAIN: 'Please sign in again at your provider, and do this within ten minutes. Or set a password first.',
  ACCOUNT_IN_USE: 'Your account cannot be closed yet.',
  SECOND_FACTOR_REQUIRED: 'Your password is right. One more step: show your second factor.',
  PASSKEY_REFUSED: 'This passkey could not be used. Please try again, or sign in another way.',
  CONFIRMATION_REQUIRED: 'Please confirm that it is you.',
  SIGN_IN_TO_CONFIRM: 'Please sign in to the account that this link is for, and open the link again.',
  LAST_SECOND_FACTOR: 'Admins need a second factor. Add another one before you remove this one.',
  ADMIN_NEEDS_SECOND_FACTOR: 'Admins sign in with a second factor. Set one up on your profile, under Security.',
  FORBIDDEN: 'You may not do this.',
  ADMIN_TOO_NEW: 'This needs two admins who were appointed some time ago.',
  CROSS_SITE_REQUEST: 'This request came from another site and was refused.',
  NOT_FOUND: 'Not found.',
  TRANSACTION_NOT_FOUND: 'Transaction not found',
  LISTING_NOT_FOUND: "The listing you're looking for doesn't exist.",
  METHOD_NOT_ALLOWED: 'This method is not allowed here.',
  EMAIL_TAKEN: 'Email may already be in use.',
  USERNAME_TAKEN: 'This username is taken, or looks like one that is. Please choose another.',
  LISTING_NOT_AVAILABLE: 'This listing is no longer available.',
  LISTING_CHANGED: 'This listing has changed since you opened it. Please look at it again.',
  LISTING_PRICE_CHANGED: 'The price of this listing has changed. Please look at it again.',
  LISTING_IN_DEAL: 'This listing is part of a live transaction.',
  LISTING_ON_SALE: 'This listing is on sale already.',
  LISTING_RELISTED: 'This item was listed again. Offer the newer listing instead.',
  OWN_LISTING: 'You cannot buy your own listing.',
  COUNTERPARTY_UNAVAILABLE: 'You cannot open a transaction with this person.',
  COUNTERPARTY_REQUIRED: 'Choose the seller first: as a buyer you need a counterparty.',
  IMAGE_INVALID: 'File must be an image',
  IMAGE_TOO_LARGE: 'The image is too large.',
  ESCROW_WRONG_STATE: 'This is not possible in the present state of the transaction.',
  ESCROW_STOPPED_BY_PROVIDER:
    'This is not possible now: the payment provider has taken back money of this transaction, or may do so.',
  SELLER_NOT_ACCEPTED:
    'The seller has not accepted this transaction yet. If they do not ship in time, you get your money back.',
  PAYMENT_IN_PROGRESS: 'A payment for this transaction is already under way.',
  PAYMENT_METHOD_UNAVAILABLE: 'This payment method is not available yet. Please pay by card.',
  PAYMENT_PROVIDER_UNAVAILABLE: 'The payment provider could not be reached. Please try again.',
  SUBSCRIPTION_EXISTS: 'You have Premium already.',
  SUBSCRIPTION_NOT_FOUND: 'You have no subscription.',
  PAYOUT_NOT_POSSIBLE: 'Nothing can be paid out now.',
  PAYOUT_ACCOUNT_UNAVAILABLE: 'The payment provider does not open a payout account for you now.',
  WEBHOOK_SIGNATURE_INVALID: 'The signature is not valid.',
  DISPUTE_EXISTS: 'This transaction already has an open dispute.',
  DISPUTE_WRONG_STATE: 'This is not possible in the present state of the dispute.',
  DISPUTE_TAKEN: 'Another mediator has taken this case. You can take it over.',
  PROPOSAL_CHANGED: 'The proposal or the amount that is held has changed since you saw it. Please look at it again.',
  DISPUTE_ENDED: 'This dispute has ended.',
  DISPUTE_WITHDRAWN_TOO_OFTEN: 'You have withdrawn too many disputes on this transaction to file another.',
  REVIEW_EXISTS: 'You have reviewed this transaction already.',
  TRACKING_NOT_FOUND: 'No tracking information available yet.',
  CONFLICT: 'This was changed at the same moment. Please try again.',
  GONE: 'This has expired.',
  INVITATION_NOT_FOUND: 'Invitation not found',
  INVITATION_ENDED: 'Invitation has expired',
  INVITED_OTHER_ADDRESS:
    'This invitation was sent to another e-mail address. Sign in with the account of that address.',
  EMAIL_NOT_CONFIRMED: 'Please confirm your e-mail address first. You find how on your profile.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'Send JSON.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request.',
  RATE_LIMITED: 'Too many requests. Please wait a moment.',
  UNAVAILABLE: 'This could not be done right now. Please try again.',
  INTERNAL: 'Something went wrong on our side.',
} as const

/** What a user reads when a request may have been carried out or not: the answer was lost on the way. */
export const UNKNOWN_OUTCOME_MESSAGE =
  'We could not tell whether this was done. Please try again, with the same Idempotency-Key if there was one.'

export type ErrorCode = keyof typeof ERROR_MESSAGES

/** Further facts about a refusal, such as the fields or the allowed states. The user sees them. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/**
 * An expected refusal. Its code and text may be shown to the user. Every other error is a fault of the program. A refusal without a text
 * of its own has that of its code (`ERROR_MESSAGES`), which is looked up when it is shown: browsers calculate with code that refuses,
 * and need not load every text.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  constructor(
    readonly code: ErrorCode,
    readonly details?: ErrorDetails,
    readonly text?: string,
  ) {
    super(text ?? code)
  }
}

/**
 * A command may have been carried out or not. `details.outcome` is `unknown`, so that a client does not report it as
 * refused.
 */
export const unknownOutcome = () => new DomainError('UNAVAILABLE', { outcome: 'unknown' }, UNKNOWN_OUTCOME_MESSAGE)

/** A refusal of input, with a message for each wrong field: `{ price: 'Must not be negative' }`. */
export function invalidFields(fields: Record<string, string>): DomainError {
  return new DomainError('VALIDATION_FAILED', { fields })
}
