import type { ErrorCode } from '@holdfast/kernel/errors'
import { refusalOf } from '@holdfast/service-kit/http/refusal'
import { HandlerTimeoutError } from './handling.js'

/** These refusals depend on the moment and not on the event: the same event may succeed later. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set([
  'UNAVAILABLE',
  'CONFLICT',
  'RATE_LIMITED',
  'PAYMENT_PROVIDER_UNAVAILABLE',
])

/**
 * Whether a handler failed because something it needs did not serve it: the database, another service or the payment provider.
 * Such a failure says nothing about the event. An error that this function does not know is a fault of the handler or the event.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof HandlerTimeoutError || OUTAGES.has(refusalOf(error).code)
