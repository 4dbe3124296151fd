import { createHash } from 'node:crypto'
import type { Collection } from '../state/collection.js'
import { StripeError } from './stripe-error.js'

/** Keys are forgotten after a day, as the provider's are. */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000
const MAX_KEY_LENGTH = 255

export interface IdempotencyRecord {
  /** The API key's kind and the caller's key. */
  readonly id: string
  readonly createdAt: number
  readonly endpoint: string
  readonly paramsHash: string
  readonly status: number
  readonly body: string
  readonly requestId: string
}

/** The keys of calls that are being served: of two calls at once the second is refused. */
export type OpenCalls = Set<string>

export interface Keyed {
  readonly id: string
  readonly endpoint: string
  readonly paramsHash: string
}

/**
 * Looks up what is known of a key.
 *
 * @returns the first answer, if there was one
 * @throws StripeError 400 when the key was used for another call, 409 when its first call is still being served
 */
export function recall(
  records: Collection<IdempotencyRecord>,
  openCalls: OpenCalls,
  call: Keyed,
  now: number,
): IdempotencyRecord | null {
  const key = call.id.slice(call.id.indexOf(':') + 1)
  if (key.length > MAX_KEY_LENGTH) {
    throw StripeError.invalid(`Idempotency keys may not be longer than ${MAX_KEY_LENGTH} characters.`)
  }
  const known = records.get(call.id)
  if (known && now - known.createdAt < KEY_LIFE_MS) {
    if (known.endpoint !== call.endpoint || known.paramsHash !== call.paramsHash) throw reused(key, known, call)
    return known
  }
  if (openCalls.has(call.id)) throw stillOpenCalls(key)
  return null
}

/** Equal for equal parameters in any order. */
export function hashOfParams(raw: string): string {
  const pairs = [...new URLSearchParams(raw)].map(pair => JSON.stringify(pair)).sort()
  return createHash('sha256').update(pairs.join('\n')).digest('base64url')
}

function reused(key: string, known: IdempotencyRecord, call: Keyed): StripeError {
  const message =
    known.endpoint === call.endpoint
      ? `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
      : `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${call.endpoint}' vs '${known.endpoint}'). Try using a key other than '${key}' if you meant to execute a different request.`
  return new StripeError(400, { type: 'idempotency_error', message })
}

function stillOpenCalls(key: string): StripeError {
  return new StripeError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  })
}
