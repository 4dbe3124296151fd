import { isNativeError } from 'node:util/types'
import type { ErrorCode } from '@holdfast/kernel/errors'
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm'

/** Errors of the network, as Node names them. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])

// PostgreSQL's error codes, appendix A of its manual: connection exceptions; a login refused, as while a password is
// being changed; too many connections and out of resources; shutting down, crashed or starting up; a statement or a
// lock that took too long; a standby that takes no writes.
const UNAVAILABLE = /^(08|28|53|57P|57014$|55P03$|25P0[34]$|25006$)/
/** Somebody else has written the same key, as PostgreSQL names it. */
export const UNIQUE_VIOLATION = '23505'
/** Two transactions in each other's way: serialisation failure and deadlock. */
export const DEADLOCK = '40P01'
const CONFLICT = new Set(['40001', DEADLOCK])

/** A login that PostgreSQL refuses. */
const LOGIN_REFUSED = /^28/
/** What `pg` says when its `query_timeout` has passed. */
export const READ_TIMEOUT = 'Query read timeout'
const POOL_ENDED = 'Cannot use a pool after calling end on the pool'

// pg has no code for these.
const LOST = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  READ_TIMEOUT,
  'Client has encountered a connection error',
  POOL_ENDED,
]

/**
 * Whether an error means that the database could not be asked, or that two commands met in it. Null for everything
 * else, a broken constraint included: that nobody expected it is a fault.
 */
export function databaseTrouble(error: unknown): Extract<ErrorCode, 'UNAVAILABLE' | 'CONFLICT'> | null {
  if (!isError(error)) return null
  const { driverError, code } = error as { driverError?: unknown; code?: unknown }
  if (isError(driverError) && driverError !== error) return databaseTrouble(driverError)
  // TypeORM lets go of a session that ended inside a dbTx; whatever is asked of that dbTx next meets these.
  if (error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError)
    return 'UNAVAILABLE'
  if (error instanceof AggregateError) return error.errors.some(databaseTrouble) ? 'UNAVAILABLE' : null
  if (typeof code === 'string') {
    if (CONFLICT.has(code)) return 'CONFLICT'
    if (NETWORK.has(code) || (code.length === 5 && UNAVAILABLE.test(code))) return 'UNAVAILABLE'
  }
  return LOST.some(message => error.message.startsWith(message)) ? 'UNAVAILABLE' : null
}

/** Node's own errors of the network are not `instanceof Error` in every realm, such as a test's. */
const isError = (value: unknown): value is Error => value instanceof Error || isNativeError(value)

/**
 * Whether nobody knows if a statement took effect: the connection ended before the answer came. What PostgreSQL itself
 * refuses, and goes on, is rolled back for certain.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  return databaseTrouble(error) === 'UNAVAILABLE' && (error as { severity?: unknown }).severity !== 'ERROR'
}

/** Whether nobody answers where the database should be: it may be back soon, unlike a login or a database that is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (databaseTrouble(error) !== 'UNAVAILABLE') return false
  const { code, message } = error as { code?: unknown; message?: string }
  return !LOGIN_REFUSED.test(String(code)) && message !== POOL_ENDED
}
