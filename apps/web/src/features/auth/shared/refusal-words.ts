import type { ApiError } from '@holdfast/http-client/api-error'

const MINUTE_SECONDS = 60

/** What a person reads whose attempt was refused: after too many, how long to wait. */
export function refusalWords({ status, serverMessage, retryAfterSeconds: seconds }: ApiError): string {
  if (status !== 429 || seconds === undefined) return serverMessage
  const minutes = Math.ceil(seconds / MINUTE_SECONDS)
  return `Too many attempts. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
