import type { ErrorCode } from '@holdfast/kernel/errors'

/** Errors of the network, as Node names them. */
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])

// PostgreSQL's error codes, appendix A of its manual: connection exceptions; a login refused, as while a password is
// being changed; too many connections and out of resources; shutting down, crashed or starting up; a statement or a
// lock that took too long; a standby that takes no writes.
const UNAVAILABLE = /^(08|28|53|57P|57014$|55P03$|25P0[34]$|25006$)/
/** Two transactions in each other's way: serialisation failure and deadlock. */
const CONFLICT = new Set(['40001', '40P01'])

// pg has no code for these.
const LOST = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end on the pool',
]

/**
 * Whether an error means that the database could not be asked, or that two commands met in it. Null for everything
 * else, a broken constraint included: that nobody expected it is a fault.
 */
export function databaseTrouble(error: unknown): Extract<ErrorCode, 'UNAVAILABLE' | 'CONFLICT'> | null {
  if (!(error instanceof Error)) return null
  const { driverError, code } = error as { driverError?: unknown; code?: unknown }
  if (driverError instanceof Error && driverError !== error) return databaseTrouble(driverError)
  if (error instanceof AggregateError) return error.errors.some(databaseTrouble) ? 'UNAVAILABLE' : null
  if (typeof code === 'string') {
    if (CONFLICT.has(code)) return 'CONFLICT'
    if (NETWORK.has(code) || (code.length === 5 && UNAVAILABLE.test(code))) return 'UNAVAILABLE'
  }
  return LOST.some(message => error.message.startsWith(message)) ? 'UNAVAILABLE' : null
}
