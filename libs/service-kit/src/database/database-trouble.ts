import { isNativeError } from 'node:util/types'
import type { ErrorCode } from '@holdfast/kernel/errors'
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm'
import { isNetworkCode } from '../http/network-trouble.js'

// PostgreSQL's error codes, appendix A of its manual: connection exceptions; a login refused, as while a password is
// being changed; too many connections and out of resources; shutting down, crashed or starting up; a statement or a
// lock that took too long; a standby that takes no writes.
const UNAVAILABLE = /^(08|28|53|57P|57014$|55P03$|25P0[34]$|25006$)/
/** PostgreSQL's code for a violated unique constraint. */
export const UNIQUE_VIOLATION = '23505'
/** PostgreSQL's codes for two dbTx that block each other: serialisation failure and deadlock. */
export const SERIALIZATION_FAILURE = '40001'
export const DEADLOCK = '40P01'
const CONFLICT = new Set([SERIALIZATION_FAILURE, DEADLOCK])

/** PostgreSQL's class of refused logins. */
const LOGIN_REFUSED = /^28/
/** The message of `pg` when its `query_timeout` has passed. */
export const READ_TIMEOUT = 'Query read timeout'
/** The message of `pg` when a connection could not be made in time. No statement was sent. */
const CONNECT_TIMED_OUT = 'Connection terminated due to connection timeout'
const POOL_ENDED = 'Cannot use a pool after calling end on the pool'

// Errors of `pg` that have a message but no code.
const LOST = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  READ_TIMEOUT,
  'Client has encountered a connection error',
  POOL_ENDED,
]

/** Whether a statement that TypeORM ran violated a unique constraint: another row has the same key. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof QueryFailedError && error.driverError.code === UNIQUE_VIOLATION

/**
 * `UNAVAILABLE` when the error means that the database could not be reached, `CONFLICT` when two commands blocked each
 * other. Null for every other error, such as a violated constraint, which is a fault of the code.
 */
export function databaseTrouble(error: unknown): Extract<ErrorCode, 'UNAVAILABLE' | 'CONFLICT'> | null {
  if (!isError(error)) return null
  const { driverError, code } = error as { driverError?: unknown; code?: unknown }
  if (isError(driverError) && driverError !== error) return databaseTrouble(driverError)
  // When a session ends inside a dbTx, TypeORM releases it, and the next query of that dbTx throws one of these.
  if (error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError)
    return 'UNAVAILABLE'
  if (error instanceof AggregateError) return error.errors.some(databaseTrouble) ? 'UNAVAILABLE' : null
  if (typeof code === 'string') {
    if (CONFLICT.has(code)) return 'CONFLICT'
    if (isNetworkCode(code) || (code.length === 5 && UNAVAILABLE.test(code))) return 'UNAVAILABLE'
  }
  return LOST.some(message => error.message.startsWith(message)) ? 'UNAVAILABLE' : null
}

/** Checks the shape instead of `instanceof Error`: an error can come from another realm, such as that of a `vm` context. */
const isError = (value: unknown): value is Error => value instanceof Error || isNativeError(value)

/**
 * Whether no answer to a statement came: the database could not be reached, or the connection ended. In the second case the
 * statement may have been carried out (`isConnectionLost`). A refusal with severity ERROR is an answer.
 */
export function isUnanswered(error: unknown): boolean {
  return databaseTrouble(error) === 'UNAVAILABLE' && (error as { severity?: unknown }).severity !== 'ERROR'
}

/** Whether the database does not answer now but may answer soon. False for a wrong login and for a missing database. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (databaseTrouble(error) !== 'UNAVAILABLE') return false
  const { code, message } = error as { code?: unknown; message?: string }
  return !LOGIN_REFUSED.test(String(code)) && message !== POOL_ENDED
}

/** PostgreSQL ended the session, or the network broke it. A connection that was refused at its beginning is none of these. */
const SESSION_ENDED = /^(08006|08003|57P01|57P02|25P03|ECONNRESET|EPIPE|ETIMEDOUT)$/

/** Whether a connection that had been made ended before the answer: its last statement may have been carried out. */
export function isConnectionLost(error: unknown): boolean {
  if (!isError(error)) return false
  const { driverError, code } = error as { driverError?: unknown; code?: unknown }
  if (isError(driverError) && driverError !== error) return isConnectionLost(driverError)
  if (typeof code === 'string') return SESSION_ENDED.test(code)
  if (error.message === CONNECT_TIMED_OUT) return false
  return error.message === READ_TIMEOUT || error.message.startsWith('Connection terminated')
}
