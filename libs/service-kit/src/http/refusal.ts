import { ERROR_STATUS } from '@holdfast/contracts/errors'
import { ApiError, ConnectionError } from '@holdfast/http-client/api-error'
import { DomainError, ERROR_MESSAGES, type ErrorCode, type ErrorDetails, unknownOutcome } from '@holdfast/kernel/errors'
import { HttpException } from '@nestjs/common'
import { databaseTrouble, isConnectionLost } from '../database/database-trouble.js'

/** The answer to an error. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails | null
  /** The error was not expected. It must be logged, because the answer does not describe it. */
  readonly fault: boolean
}

/** The answer to an error of a request that changes nothing. Its outcome is never unknown: it can be sent again. */
export function refusalOfRead(error: unknown): Refusal {
  const answer = refusalOf(error)
  return answer.details?.outcome === 'unknown' ? refusal('UNAVAILABLE', null, undefined, answer.fault) : answer
}

/** The answer to any thrown error. It never contains details of an unexpected error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof DomainError) return refusal(error.code, error.details ?? null, error.text)
  if (error instanceof ApiError) return refusalOfService(error)
  if (error instanceof ConnectionError) return unknown()
  const trouble = databaseTrouble(error)
  if (trouble === 'UNAVAILABLE' && isConnectionLost(error)) return unknown()
  if (trouble) return refusal(trouble, null, undefined, trouble === 'UNAVAILABLE')
  const status = statusOf(error)
  return status !== null && status < 500 ? refusal(codeOfStatus(status)) : refusal('INTERNAL', null, undefined, true)
}

function refusal(code: ErrorCode, details: ErrorDetails | null = null, message?: string, fault = false): Refusal {
  return { status: ERROR_STATUS[code], code, message: message ?? ERROR_MESSAGES[code], details, fault }
}

/** The answer was lost: what was asked for may have been done. */
const unknown = (): Refusal => ({ ...refusalOf(unknownOutcome()), fault: true })

/**
 * The answer when another service refused a call of ours. A refusal of the user's request is passed on. So is `UNAUTHENTICATED`: the user's
 * session may have ended since the gateway checked it. Our services refuse a bad signature with 403, so it signs no user out.
 */
function refusalOfService(error: ApiError): Refusal {
  if (error.status === 503)
    return error.details?.outcome === 'unknown' ? unknown() : refusal('UNAVAILABLE', null, undefined, true)
  const code = isErrorCode(error.code) ? error.code : 'INTERNAL'
  if (error.status >= 500 || ERROR_STATUS[code] !== error.status) return refusal('INTERNAL', null, undefined, true)
  return refusal(code, error.details, error.serverMessage || undefined)
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_STATUS, code)

/**
 * The status of Nest's exceptions and Fastify's own errors. The status of another library's error is not used, because it
 * comes from the answer of another server.
 */
function statusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus()
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  const fastify = typeof code === 'string' && code.startsWith('FST_')
  return fastify && typeof statusCode === 'number' ? statusCode : null
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
}

const codeOfStatus = (status: number): ErrorCode => CODE_OF_STATUS[status] ?? 'MALFORMED_REQUEST'
