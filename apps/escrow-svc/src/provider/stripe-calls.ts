/** What every call to Stripe has in common: the client, temporary faults, and idempotency keys. */
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import Stripe from 'stripe'
import type { EscrowConfig } from '../config.js'
import { measured } from './request-metrics.js'

const REQUEST_TIMEOUT_MS = 10_000
/** The SDK repeats a call with the same idempotency key, so a repeated call never moves money twice. */
const NETWORK_RETRIES = 2

/**
 * The version of Stripe's API whose requests and answers this code knows. The webhook endpoints at Stripe must have it, too. A newer
 * `stripe` package sends a newer one: then this line does not compile, and the mock in `tools/engines` must follow.
 */
export const STRIPE_API_VERSION = '2026-08-26.dahlia'

const log = loggerOf('stripe')

/**
 * Stripe's client. In development it calls the sandbox: only the host differs.
 *
 * @param before runs before each call. When it throws, nothing is sent, as if there were no connection
 */
export function stripeClient(
  { STRIPE_API_URL: apiUrl, STRIPE_SECRET_KEY: key }: Pick<EscrowConfig, 'STRIPE_API_URL' | 'STRIPE_SECRET_KEY'>,
  { before, maxNetworkRetries = NETWORK_RETRIES }: { before?: () => Promise<void>; maxNetworkRetries?: number } = {},
): Stripe {
  const httpClient = Stripe.createNodeHttpClient()
  const send = httpClient.makeRequest.bind(httpClient)
  httpClient.makeRequest = async (...request) => {
    await before?.()
    const [, , path, method] = request
    return measured(
      { provider: 'stripe', method, path },
      () => send(...request),
      answer => answer.getStatusCode(),
    )
  }
  return new Stripe(key, {
    apiVersion: STRIPE_API_VERSION,
    timeout: REQUEST_TIMEOUT_MS,
    maxNetworkRetries,
    telemetry: false,
    httpClient,
    ...(apiUrl && hostOf(apiUrl)),
  })
}

/** Whether a key of Stripe is of live mode; all others are of test mode. */
export const isLiveKey = (key: string): boolean => key.includes('_live_')

/** Calls the provider. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` after a temporary fault, or Stripe's refusal */
export async function callProvider<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    return rethrow(error)
  }
}

/** Throws an error of Stripe on: a temporary fault as DomainError `PAYMENT_PROVIDER_UNAVAILABLE`, any other as it is. */
export function rethrow(error: unknown): never {
  if (!isTemporary(error)) throw error
  log.warn({ err: error }, 'the provider could not be reached or gave no clear answer')
  throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
}

/**
 * The provider has answered an attempt with an error or a refusal. It repeats that answer under the same idempotency key for a
 * day, so the next attempt needs another key.
 */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed'
}

/** The idempotency key of an attempt. The first one is our id, as in earlier releases. */
export const keyOf = (id: string, attempt: number) => (attempt === 1 ? id : `${id}:${attempt}`)

/** Of the errors of a server, Stripe keeps only its own 500 under a key. A 502 or 503 comes from a proxy in between. */
export const isStoredError = (error: unknown): error is InstanceType<typeof Stripe.errors.StripeAPIError> =>
  error instanceof Stripe.errors.StripeAPIError && error.statusCode === 500

/** A 401 says something about our key and nothing about what was asked. */
const isTemporary = (error: unknown) =>
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error instanceof Stripe.errors.StripeIdempotencyError

function hostOf(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl)
  const http = protocol === 'http:'
  return { host: hostname, port: port || (http ? 80 : 443), protocol: http ? ('http' as const) : ('https' as const) }
}

/** The provider refuses a request as invalid. The error does not say whether the request is wrong or the object's state forbids it. */
export const isRefusal = (error: unknown): error is InstanceType<typeof Stripe.errors.StripeInvalidRequestError> =>
  error instanceof Stripe.errors.StripeInvalidRequestError

/** The provider has no such object. */
export const isMissing = (error: unknown): boolean => isRefusal(error) && error.code === 'resource_missing'
