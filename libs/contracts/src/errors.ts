import type { ErrorCode } from '@holdfast/kernel/errors'
import { z } from 'zod'

// It is in a file of its own so that the web app can import it without zod.
export { STATUS_TEXT } from './status-text.js'

/** The HTTP status of every refusal. A code without a status does not compile. */
export const ERROR_STATUS: Record<ErrorCode, number> = {
  VALIDATION_FAILED: 400,
  AMOUNT_INVALID: 400,
  MALFORMED_REQUEST: 400,
  COUNTERPARTY_REQUIRED: 400,
  IMAGE_INVALID: 400,
  IMAGE_TOO_LARGE: 400,
  PAYMENT_METHOD_UNAVAILABLE: 400,
  WEBHOOK_SIGNATURE_INVALID: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  ADMIN_TOO_NEW: 403,
  CROSS_SITE_REQUEST: 403,
  OWN_LISTING: 403,
  COUNTERPARTY_UNAVAILABLE: 403,
  NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  LISTING_NOT_FOUND: 404,
  TRACKING_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  EMAIL_TAKEN: 409,
  USERNAME_TAKEN: 409,
  LISTING_NOT_AVAILABLE: 409,
  LISTING_CHANGED: 409,
  LISTING_PRICE_CHANGED: 409,
  LISTING_IN_DEAL: 409,
  ESCROW_WRONG_STATE: 409,
  ESCROW_STOPPED_BY_PROVIDER: 409,
  PAYMENT_IN_PROGRESS: 409,
  PAYOUT_NOT_POSSIBLE: 409,
  PAYOUT_ACCOUNT_UNAVAILABLE: 409,
  DISPUTE_EXISTS: 409,
  DISPUTE_WRONG_STATE: 409,
  DISPUTE_TAKEN: 409,
  DISPUTE_ENDED: 409,
  DISPUTE_WITHDRAWN_TOO_OFTEN: 409,
  CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  PAYMENT_PROVIDER_UNAVAILABLE: 503,
}

/** The body of every refusal. `error` repeats the message, because the spec's register screen reads that field. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  error: z.string(),
  details: z.record(z.string(), z.unknown()).nullable(),
  requestId: z.string(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
