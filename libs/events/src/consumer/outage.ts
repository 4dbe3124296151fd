import type { ErrorCode } from '@holdfast/kernel/errors'
import { databaseTrouble } from '@holdfast/service-kit/database/database-trouble'
import { refusalOf } from '@holdfast/service-kit/http/refusal'
import { UnknownTypeError } from '../transport.js'
import { HandlerTimeoutError } from './handling.js'

/**
 * These refusals depend on the moment and not on the event: the same event may succeed later. `CONFLICT` is none of them. A
 * rule refuses with it what does not fit the deal, and it does so at every attempt. A handler that has lost a version race
 * also throws it; the attempts that count are enough for that.
 */
const OUTAGES: ReadonlySet<ErrorCode> = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'PAYMENT_PROVIDER_UNAVAILABLE'])

/**
 * Whether a handler failed because something it needs did not serve it: the database, another service, the payment provider, or a
 * release that knows the event's type.
 * Such a failure says nothing about the event. An error that this function does not know is a fault of the handler or the event.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof HandlerTimeoutError ||
  error instanceof UnknownTypeError ||
  databaseTrouble(error) !== null ||
  OUTAGES.has(refusalOf(error).code)
